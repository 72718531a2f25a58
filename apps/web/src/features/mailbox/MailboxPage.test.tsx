import { AppError } from "@terrarium/contract";
import { render } from "vitest-browser-react";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { Route, Routes } from "react-router";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { MailboxLink } from "../../shared/MailboxLink.tsx";
import { mailList } from "./mailbox.queries.ts";
import MailboxPage from "./MailboxPage.tsx";

const uuid = "3f2b8f0e-8a55-4c39-9d6e-0d7a1c1f2b3a";
const sent = { uuid, to: "zoe@fern.test", subject: "Set a new password", created_at: new Date().toISOString() };
const RAN = "a script of the mail ran";
const LAST = "the last message";
const html = `<script>parent.postMessage("${RAN}", "*")</script><p>Hello Zoë</p><a href="http://localhost/x">Set it</a>`;

async function open(address: string, answers: Record<string, () => unknown> = {}) {
  fakeService({
    "GET /v1/mailbox": () => ({ mails: [sent] }),
    "GET /v1/mailbox/:uuid": () => ({ ...sent, text: "Hello in plain text", html }),
    ...answers,
  });
  return render(
    <InTestApp address={address}>
      <Routes>
        <Route path="/mailbox" Component={MailboxPage} />
        <Route path="/mailbox/:uuid" Component={MailboxPage} />
      </Routes>
    </InTestApp>,
  );
}

beforeEach(() => page.viewport(1280, 800));

describe("the mailbox", () => {
  it("opens a mail from the list, as sent and as plain text", async () => {
    const shown = await open("/mailbox");
    await shown.getByRole("link", { name: /Set a new password.*zoe@fern.test/ }).click();
    await expect.element(shown.getByRole("heading", { name: "Set a new password" })).toBeVisible();
    await expect.element(shown.getByTitle("Message")).toBeVisible();
    await shown.getByRole("button", { name: "Plain text" }).click();
    await expect.element(shown.getByText("Hello in plain text")).toBeVisible();
  });

  it("runs no script of a mail, and gives it no part in our origin", async () => {
    const heard: unknown[] = [];
    const listen = ({ data }: MessageEvent) => void heard.push(data);
    addEventListener("message", listen);
    onTestFinished(() => removeEventListener("message", listen));
    const shown = await open(`/mailbox/${uuid}`);
    await expect.element(shown.getByTitle("Message")).toBeVisible();
    const frame = shown.getByTitle("Message").element() as HTMLIFrameElement;
    expect(frame.srcdoc).toContain(RAN);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    frame.setAttribute("srcdoc", frame.srcdoc);
    await loaded;
    // Messages arrive in order: one of a script in the mail would be there before this one.
    postMessage(LAST, "*");
    await expect.poll(() => heard).toContain(LAST);
    expect(heard).not.toContain(RAN);
    expect(frame.contentDocument).toBeNull();
  });

  it("shows one thing at a time on a phone, with a way back", async () => {
    await page.viewport(390, 844);
    const shown = await open("/mailbox");
    await shown.getByRole("link", { name: /Set a new password/ }).click();
    await expect.element(shown.getByTitle("Message")).toBeVisible();
    await expect.element(shown.getByRole("navigation", { name: "Mails" })).not.toBeInTheDocument();
    await shown.getByRole("link", { name: "All mails" }).click();
    await expect.element(shown.getByRole("navigation", { name: "Mails" })).toBeVisible();
  });

  it.each([
    ["no mail yet", { "GET /v1/mailbox": () => ({ mails: [] }) }, "/mailbox", "No mail yet"],
    ["no demonstration", { "GET /v1/mailbox": refuse("ROUTE_NOT_FOUND") }, "/mailbox", "There is no mailbox here"],
    ["an answer that is none", { "GET /v1/mailbox": refuse("FORBIDDEN") }, "/mailbox", "The mails did not load"],
    [
      "a mail that is gone",
      { "GET /v1/mailbox/:uuid": refuse("MAIL_NOT_FOUND") },
      `/mailbox/${uuid}`,
      "This mail is not there",
    ],
  ])("says what it is when there is %s", async (_, answers, address, title) => {
    const shown = await open(address, answers);
    await expect.element(shown.getByRole("heading", { name: title })).toBeVisible();
  });
});

it.each([
  ["a mailbox that answers", null, true],
  ["one that did not answer", new AppError("SERVICE_UNAVAILABLE"), true],
  ["none", new AppError("ROUTE_NOT_FOUND"), false],
])("asks again after %s, or does not", (_, error, isAsked) => {
  expect(mailList.refetchInterval({ state: { error } }) !== false).toBe(isAsked);
});

it.each([true, false])("is offered where there is one: %s", async (has_mailbox) => {
  fakeService({ "GET /v1/settings": () => ({ version: "0.0.0", demo_accounts: [], has_mailbox }) });
  const client = testCache();
  const shown = await render(
    <InTestApp client={client}>
      <MailboxLink />
    </InTestApp>,
  );
  await expect.poll(() => client.getQueryData(["settings"])).toBeDefined();
  expect(shown.getByRole("link", { name: "Open the mailbox" }).elements()).toHaveLength(has_mailbox ? 1 : 0);
});
