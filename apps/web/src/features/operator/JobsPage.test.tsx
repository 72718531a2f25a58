import type { Job } from "@terrarium/contract";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import JobsPage from "./JobsPage.tsx";
import { aJob } from "./testing/operator-rows.ts";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

async function open(jobs: Job[], answers: Parameters<typeof fakeService>[0] = {}, address = "/operator/jobs") {
  const service = fakeService({
    "GET /v1/operator/jobs": () => aPage(jobs),
    "POST /v1/operator/jobs/[0-9]+/retry": () => null,
    "POST /v1/operator/jobs/retry": () => ({ count: 2 }),
    "DELETE /v1/operator/jobs/[0-9]+": () => null,
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <JobsPage />
      <Snacks />
    </InTestApp>,
  );
  return { screen, service };
}

describe("the jobs", () => {
  it("are shown with their state and what went wrong", async () => {
    const { screen } = await open([aJob(), aJob({ name: "mail-sign-up-link", state: "waiting", last_error: null })]);
    await expect.element(screen.getByRole("row", { name: /send-mail.*Failed.*24.*550 no such mailbox/ })).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /mail-sign-up-link.*Waiting/ })).toBeVisible();
    expect(nameless()).toEqual([]);
  });

  it("are those that the address asks for", async () => {
    const { screen, service } = await open([aJob()], {}, "/operator/jobs?state=failed&search=mail&ordering=name");
    await expect.element(screen.getByRole("row", { name: /send-mail/ })).toBeVisible();
    const { query } = service.to("GET", /jobs/)[0] ?? {};
    expect([query?.get("state"), query?.get("search"), query?.get("ordering")]).toEqual(["failed", "mail", "name"]);
  });

  it("are looked at again while one waits or runs, and no longer", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const jobs = [aJob({ name: "a", state: "running" })];
    const { screen, service } = await open(jobs);
    const asked = () => service.to("GET", /jobs/).length;
    await expect.element(screen.getByRole("row", { name: /a.*Running/ })).toBeVisible();
    jobs[0] = aJob({ name: "a", state: "waiting" });
    vi.advanceTimersByTime(3_000);
    await expect.element(screen.getByRole("row", { name: /a.*Waiting/ })).toBeVisible();
    jobs[0] = aJob({ name: "a", state: "done" });
    vi.advanceTimersByTime(3_000);
    await expect.element(screen.getByRole("row", { name: /a.*Done/ })).toBeVisible();
    const before = asked();
    vi.advanceTimersByTime(60_000);
    expect(asked()).toBe(before);
    vi.useRealTimers();
  });

  it("offer only what can be done with them", async () => {
    const { screen } = await open([
      aJob({ name: "a" }),
      aJob({ name: "b", state: "waiting" }),
      aJob({ name: "c", state: "running" }),
      aJob({ name: "d", state: "done" }),
      aJob({ name: "e", state: "discarded" }),
    ]);
    await expect.element(screen.getByRole("button", { name: "Discard a" })).toBeVisible();
    const buttons = screen.getByRole("button", { name: /^(Retry|Discard) .$/ }).elements();
    expect(buttons.map((button) => button.getAttribute("aria-label"))).toEqual(["Retry a", "Discard a", "Discard b"]);
  });

  it("are cards on a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await open([aJob({ last_error: "x".repeat(500) })]);
    await expect.element(screen.getByRole("listitem").getByText("24 attempts")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    // Two lines of it, and the buttons whole.
    expect(screen.getByRole("listitem").element().clientHeight).toBeLessThan(130);
    const retry = screen.getByRole("button", { name: "Retry", exact: true }).element();
    expect(retry.scrollWidth).toBeLessThanOrEqual(retry.clientWidth);
  });

  it("are said to be none, or not to have loaded", async () => {
    const { screen } = await open([]);
    await expect.element(screen.getByText("There are no jobs")).toBeVisible();
    await screen.unmount();
    const again = await open([], { "GET /v1/operator/jobs": refuse("INTERNAL_ERROR") });
    await expect.element(again.screen.getByText("The jobs did not load.")).toBeVisible();
  });
});

describe("a failed job", () => {
  it("is tried again", async () => {
    const job = aJob();
    const { screen, service } = await open([job]);
    await screen.getByRole("button", { name: "Retry send-mail" }).click();
    await expect.element(screen.getByText("send-mail is tried again")).toBeVisible();
    expect(service.to("POST", /retry/).map(({ path }) => path)).toEqual([`/v1/operator/jobs/${job.id}/retry`]);
    await vi.waitFor(() => expect(service.to("GET", /jobs/).length).toBe(2));
  });

  it("is discarded once that was confirmed", async () => {
    const { screen, service } = await open([aJob()]);
    await screen.getByRole("button", { name: "Discard send-mail" }).click();
    await expect.element(screen.getByRole("button", { name: "Cancel" })).toHaveFocus();
    expect(service.to("DELETE", /jobs/)).toEqual([]);
    await screen.getByRole("button", { name: "Discard job" }).click();
    await expect.element(screen.getByText("Discarded send-mail")).toBeVisible();
    expect(service.to("DELETE", /jobs/)).toHaveLength(1);
  });

  it("may have changed meanwhile, which is said", async () => {
    const { screen } = await open([aJob()], { "POST /v1/operator/jobs/[0-9]+/retry": refuse("JOB_NOT_FOUND") });
    await screen.getByRole("button", { name: "Retry send-mail" }).click();
    await expect.element(screen.getByText("The job is not as it was shown. Look again.")).toBeVisible();
  });

  it("is tried again with all others", async () => {
    const { screen, service } = await open([aJob()]);
    await screen.getByRole("button", { name: "Retry all failed" }).click();
    expect(service.to("POST", /retry/)).toEqual([]);
    await screen.getByRole("dialog").getByRole("button", { name: "Retry all failed" }).click();
    await expect.element(screen.getByText("2 jobs are tried again.")).toBeVisible();
    expect(service.to("POST", /jobs\/retry$/)).toHaveLength(1);
  });
});
