import { useEffect } from "react";
import { useLocation } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { MeContext } from "../../session/user.ts";
import { aLiveSession, aParticipant, manager } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { soon } from "../../testing/soon.ts";
import LiveSessionsPage from "./LiveSessionsPage.tsx";

const kim = aParticipant("Kim");
const own = aLiveSession({ participants: [kim, aParticipant("Lee")] });
const kims = aLiveSession({
  owner: { genyid: kim.genyid, first_name: "Kim", last_name: "", email: kim.email },
  created_at: new Date(Date.now() - 5 * 60_000).toISOString(),
  instance: { uuid: own.uuid, name: "A device of Kim" },
});

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  localStorage.clear();
  await page.viewport(1440, 900);
});

let here = "";
function Address() {
  const { pathname, search } = useLocation();
  useEffect(() => {
    here = pathname + search;
  });
  return null;
}

async function open(answer: () => unknown = () => aPage([kims, own], 30), address = "/") {
  const service = fakeService({ "GET /v1/livesessions": answer });
  const screen = await render(
    <InTestApp address={address}>
      <MeContext value={manager}>
        <LiveSessionsPage />
      </MeContext>
      <Address />
    </InTestApp>,
  );
  return { screen, service, row: (name: RegExp) => screen.getByRole("row", { name }) };
}

describe("the live sessions of the launchpad", () => {
  it("shows what each is, whose, since when and with how many of five people", async () => {
    const { screen, row } = await open();
    const words = async (name: RegExp) => {
      await expect.element(row(name)).toBeVisible();
      return row(name)
        .getByRole("gridcell")
        .elements()
        .slice(0, 4)
        .map((cell) => cell.textContent);
    };
    expect(await words(/payments-smoke-01/)).toEqual(["payments-smoke-01", "You", expect.any(String) as string, "3/5"]);
    expect(await words(/A device of Kim/)).toEqual(["A device of Kim", "Kim", "5 minutes ago", "1/5"]);
    const widths = screen
      .getByRole("columnheader")
      .elements()
      .map((head) => head.getBoundingClientRect().width);
    const whole = widths.reduce((sum, width) => sum + width, 0);
    expect(widths.map((width) => Math.round((width / whole) * 100))).toEqual([40, 30, 10, 15, 5]);
    expect(nameless()).toEqual([]);
  });

  it("leads to the device where it is one's own, and else to the session", async () => {
    const { screen, row } = await open();
    const href = (name: string) => screen.getByRole("link", { name: `Display ${name}` });
    await expect.element(href("payments-smoke-01")).toHaveAttribute("href", `/instance/${own.instance.uuid}`);
    await expect.element(href("A device of Kim")).toHaveAttribute("href", `/live-session/${kims.uuid}`);
    await row(/payments-smoke-01/).dblClick();
    await expect.poll(() => here).toBe(`/instance/${own.instance.uuid}`);
    await row(/A device of Kim/).dblClick();
    await expect.poll(() => here).toBe(`/live-session/${kims.uuid}`);
  });

  it("is asked for again by its button, searched, and cut into pages of 5, 10 or 25", async () => {
    const { screen, service } = await open();
    await screen.getByRole("button", { name: "Refresh" }).click();
    await soon(() => expect(service.calls).toHaveLength(2));
    await screen.getByRole("combobox", { name: /rows/i }).click();
    expect(
      screen
        .getByRole("option")
        .elements()
        .map((option) => option.textContent),
    ).toEqual(["5", "10", "25"]);
    await screen.getByRole("option", { name: "25" }).click();
    await soon(() => expect(service.calls.at(-1)?.query.get("page_size")).toBe("25"));
    await userEvent.keyboard("/kim");
    await soon(() => expect(service.calls.at(-1)?.query.get("search")).toBe("kim"));
    await screen.unmount();
    const again = await open();
    await soon(() => expect(again.service.calls[0]?.query.get("page_size")).toBe("25"));
  });

  it("says that it fetches, and that there are none", async () => {
    const answer = Promise.withResolvers<unknown>();
    const { screen } = await open(() => answer.promise);
    await expect.element(screen.getByText("Fetching live sessions…")).toBeVisible();
    answer.resolve(aPage([]));
    await expect.element(screen.getByText("No live sessions", { exact: true })).toBeVisible();
    await expect.element(screen.getByText("Fetching live sessions…")).not.toBeInTheDocument();
  });

  it("says below and in place of rows that they could not be fetched", async () => {
    const { screen } = await open(refuse("INTERNAL_ERROR"));
    await expect.element(screen.getByRole("alert").getByText("Fail to fetch live sessions.")).toBeVisible();
    expect(readSnacks().map(({ message }) => message)).toEqual(["Fail to fetch live sessions."]);
  });

  it("is a tab beside one's devices", async () => {
    const { screen } = await open();
    await expect.element(screen.getByRole("tab", { name: "Live Sessions" })).toHaveAttribute("aria-selected", "true");
    await screen.getByRole("tab", { name: "Virtual Devices" }).click();
    await expect.poll(() => here).toBe("/launchpad");
  });

  it("is cards on a phone", async () => {
    await page.viewport(390, 844);
    const { screen } = await open();
    const card = screen.getByRole("listitem").filter({ hasText: "payments-smoke-01" });
    await expect.element(card.getByText("3/5")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBe(390);
  });
});
