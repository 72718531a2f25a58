import { type AuditEntry, auditActions } from "@terrarium/contract";
import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { dateTime } from "../../components/dates.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { queryClient } from "../../session/client.ts";
import { anId, managerId } from "../../testing/factories.ts";
import { fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import AuditPage from "./AuditPage.tsx";

const HOUR_MS = 3_600_000;
const kim = "00000000-0000-4000-8000-c00000000000";

let last = 1000;
const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: --last,
  at: new Date(Date.now() - HOUR_MS).toISOString(),
  action: "user.set_role",
  outcome: "done",
  actor: { kind: "user", uuid: managerId, email: "mara@demo.test" },
  credential_uuid: anId(),
  subject: { kind: "user", uuid: kim, email: "kim@demo.test" },
  address: "203.0.113.7",
  request_id: anId(),
  details: { role: "manager" },
  ...fields,
});

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  queryClient.clear();
  localStorage.clear();
  await page.viewport(1440, 900);
});
const said = () => readSnacks().map(({ message }) => message);

let here = "";
let back: () => void = () => undefined;
function Address() {
  const navigate = useNavigate();
  const { search } = useLocation();
  useEffect(() => {
    here = search;
    back = () => void navigate(-1);
  });
  return null;
}

/** The page over a service that has these records, three a page. */
async function open(records: AuditEntry[], address = "/", answers: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    "GET /v1/audit": ({ query }) => {
      const before = Number(query.get("before") ?? Infinity);
      const rest = records.filter(({ id }) => id < before);
      return { results: rest.slice(0, 3), next: rest.length > 3 ? rest[2]!.id : null };
    },
    "GET /v1/audit/export": ({ query }) =>
      new Response("file", {
        headers: { "content-disposition": `attachment; filename="audit-2026-03-05.${query.get("format")}"` },
      }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <AuditPage />
      <Address />
    </InTestApp>,
  );
  const asked = () => service.to("GET", /audit$/).map(({ query }) => Object.fromEntries(query));
  const choose = async (name: string, choice: string) => {
    await screen.getByRole("combobox", { name }).click();
    await screen.getByRole("option", { name: choice, exact: true }).click();
  };
  return {
    screen,
    service,
    asked,
    choose,
    row: (name: RegExp) => screen.getByRole("row", { name }),
    rows: () => screen.getByRole("row").elements().slice(1),
    button: (name: string | RegExp) => screen.getByRole("button", { name }),
  };
}

describe("the audit log", () => {
  it("tells who did what to whom, when and from where, in words", async () => {
    const { row, asked, screen } = await open([
      entry(),
      entry({ action: "session.open", outcome: "refused", actor: { kind: "nobody", uuid: null, email: null } }),
      entry({
        action: "group.create",
        actor: { kind: "token", uuid: managerId, email: "mara@demo.test" },
        subject: { kind: "group", uuid: anId(), email: null },
        details: { name: "QA" },
      }),
    ]);
    await expect
      .element(row(/Changed somebody’s role mara@demo\.test kim@demo\.test 203\.0\.113\.7 1 hour ago/))
      .toBeVisible();
    await expect.element(row(/Tried to sign in Refused Somebody who was not signed in/)).toBeVisible();
    await expect.element(row(/Created a group mara@demo\.test API token Group QA/)).toBeVisible();
    expect(asked()).toEqual([{ page_size: "25" }]);
    expect(nameless(screen.container)).toEqual([]);
  });

  it("names whoever has no address here, and things without a name", async () => {
    const { row } = await open([
      entry({ actor: { kind: "user", uuid: kim, email: null }, subject: null, address: null }),
      entry({
        action: "organization.set_zone",
        actor: { kind: "operator", uuid: null, email: null },
        subject: { kind: "organization", uuid: kim, email: null },
        details: {},
      }),
      entry({ action: "session.end", actor: { kind: "service", uuid: null, email: null } }),
    ]);
    await expect.element(row(/Somebody who is not a member – – 1 hour ago/)).toBeVisible();
    await expect.element(row(/The operator of this service Organization 00000000/)).toBeVisible();
    await expect.element(row(/ended Terrarium/)).toBeVisible();
  });

  it("shows the exact time on focus, which the arrows reach", async () => {
    const record = entry();
    const { row, screen } = await open([record]);
    await expect.element(row(/Changed/)).toBeVisible();
    (row(/Changed/).element() as HTMLElement).focus();
    await userEvent.keyboard("{ArrowRight}");
    await expect.element(screen.getByRole("tooltip")).toHaveTextContent(dateTime(record.at, ""));
  });

  it("shows and hides all that is recorded of an act, by a button and by Enter", async () => {
    const record = entry({ details: { role: "manager", session_hours: 8, reason: null } });
    const { row, button, screen } = await open([record]);
    await expect.element(row(/Changed/)).toBeVisible();
    const details = button(/^Details of user\.set_role/);
    await expect.element(details).toHaveAttribute("aria-expanded", "false");
    await details.click();
    await expect.element(details).toHaveAttribute("aria-expanded", "true");
    const terms = () => [...document.querySelectorAll("dt")].map(({ textContent }) => textContent);
    expect(terms()).toEqual([
      "Time",
      "Action",
      "Who",
      "To whom or what",
      "From",
      "Session or token",
      "Request",
      "role",
      "session hours",
      "reason",
    ]);
    await expect.element(screen.getByText(record.request_id!)).toBeVisible();
    await expect.element(screen.getByText(new RegExp(`^${dateTime(record.at, "")} \\S+`))).toBeVisible();
    (row(/Changed/).element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.poll(terms).toEqual([]);
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => terms().length).toBe(10);
  });

  it("leads from an act to what else the person did, and what else happened to its subject, and back", async () => {
    const { asked, button, screen } = await open([entry()]);
    await button(/^Details of/).click();
    await screen.getByRole("link", { name: "Show what this person did" }).click();
    await expect.poll(() => asked().at(-1)).toEqual({ actor: "mara@demo.test", page_size: "25" });
    await expect.element(screen.getByLabelText("Search people who acted")).toHaveValue("mara@demo.test");
    await screen.getByRole("link", { name: "Show what happened to this" }).click();
    await expect.poll(() => asked().at(-1)).toEqual({ subject: kim, page_size: "25" });
    await button("Only what happened to 00000000").click();
    await expect.poll(() => here).toBe("");
    back();
    await expect.poll(() => here).toBe(`?subject=${kim}`);
    await expect.element(button("Only what happened to 00000000")).toBeVisible();
  });

  it("has a way to what somebody did only where it is known who it was", async () => {
    const { button, screen } = await open([entry({ actor: { kind: "nobody", uuid: null, email: null } })]);
    await button(/^Details of/).click();
    await expect.element(screen.getByRole("link", { name: "Show what happened to this" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Show what this person did" }).elements()).toEqual([]);
  });
});

describe("what is shown of it", () => {
  it("is as the address says, which can be sent to somebody", async () => {
    const { asked, screen } = await open(
      [entry()],
      `/?search=mara&kind=group&outcome=refused&since=2026-03-05&until=2026-03-06&subject=${kim}&before=900`,
    );
    await expect.poll(() => asked().length).toBe(1);
    expect(asked()).toEqual([
      {
        actor: "mara",
        // The last of several that have the same name.
        action: "group.remove_user",
        outcome: "refused",
        since: new Date(2026, 2, 5).toISOString(),
        until: new Date(2026, 2, 7).toISOString(),
        subject: kim,
        before: "900",
        page_size: "25",
      },
    ]);
    await expect.element(screen.getByLabelText("From day")).toHaveValue("2026-03-05");
    await expect.element(screen.getByLabelText("To day")).toHaveValue("2026-03-06");
    await expect.element(screen.getByRole("combobox", { name: "Outcome" })).toHaveTextContent("Refused");
  });

  it("is not narrowed by what nobody could have chosen", async () => {
    const { asked } = await open(
      [entry()],
      "/?kind=pigeon&outcome=x&since=yesterday&until=2026-02-30&subject=x&before=x",
    );
    await expect.poll(asked).toEqual([{ page_size: "25" }]);
  });

  it("changes with each filter, in the address", async () => {
    const { service, choose, screen } = await open([entry()]);
    const query = () => service.to("GET", /audit$/).at(-1)!.query;
    await expect.poll(() => service.calls.length).toBe(1);
    await choose("Kind of action", "Groups");
    await expect
      .poll(() => query().getAll("action"))
      .toEqual(auditActions.filter((action) => action.startsWith("group.")));
    await choose("Outcome", "Done");
    await expect.poll(() => query().get("outcome")).toBe("done");
    await userEvent.fill(screen.getByLabelText("From day"), "2026-03-05");
    await expect.poll(() => query().get("since")).toBe(new Date(2026, 2, 5).toISOString());
    await userEvent.fill(screen.getByLabelText("To day"), "2026-03-05");
    await expect.poll(() => query().get("until")).toBe(new Date(2026, 2, 6).toISOString());
    await userEvent.fill(screen.getByLabelText("Search people who acted"), "kim");
    await expect.poll(() => query().get("actor")).toBe("kim");
    expect(here).toBe("?kind=group&outcome=done&since=2026-03-05&until=2026-03-05&search=kim");
    await userEvent.fill(screen.getByLabelText("From day"), "");
    await expect.poll(() => here).not.toContain("since");
    back();
    await expect.element(screen.getByLabelText("From day")).toHaveValue("2026-03-05");
  });

  it("says that nothing matches, and offers everything again", async () => {
    const { button, screen } = await open([], "/?outcome=refused");
    await expect.element(screen.getByText("Nothing was recorded that matches")).toBeVisible();
    await button("Clear the filter").click();
    await expect.poll(() => here).toBe("");
    await expect.element(screen.getByText("Nothing has happened yet")).toBeVisible();
  });

  it("says that the log did not load, and asks again", async () => {
    let isDown = true;
    const { button, screen, row } = await open([], "/", {
      "GET /v1/audit": () => (isDown ? refuse("INTERNAL_ERROR")() : { results: [entry()], next: null }),
    });
    await expect.element(screen.getByText("The audit log did not load.")).toBeVisible();
    isDown = false;
    await button("Try again").click();
    await expect.element(row(/Changed/)).toBeVisible();
  });
});

describe("its pages", () => {
  const many = () => Array.from({ length: 7 }, (_, index) => entry({ address: `203.0.113.${index}` }));

  it("follow keys, older and back again, and a reload keeps the place", async () => {
    const records = many();
    const { button, row, screen } = await open(records);
    await expect.element(row(/203\.0\.113\.0/)).toBeVisible();
    await expect.element(screen.getByText("The latest 3")).toBeVisible();
    await expect.element(button("Previous page")).toHaveAttribute("aria-disabled", "true");
    await button("Next page").click();
    await expect.element(row(/203\.0\.113\.3/)).toBeVisible();
    expect(here).toBe(`?before=${records[2]!.id}`);
    await button("Next page").click();
    await expect.element(row(/203\.0\.113\.6/)).toBeVisible();
    await expect.element(screen.getByText("1 earlier one")).toBeVisible();
    await expect.element(button("Next page")).toHaveAttribute("aria-disabled", "true");
    await button("Previous page").click();
    await expect.element(row(/203\.0\.113\.3/)).toBeVisible();
    await button("Previous page").click();
    await expect.element(row(/203\.0\.113\.0/)).toBeVisible();
    expect(here).toBe("");
    back();
    await expect.element(row(/203\.0\.113\.3/)).toBeVisible();
  });

  it("lead to the latest from a link to one of them, and say when there is nothing older", async () => {
    const records = many();
    const { button, row } = await open(records, `/?before=${records[4]!.id}`);
    await expect.element(row(/203\.0\.113\.5/)).toBeVisible();
    await button("Previous page").click();
    await expect.element(row(/203\.0\.113\.0/)).toBeVisible();
    const end = await open(records, "/?before=1");
    await expect.element(end.screen.getByText("Nothing older was recorded")).toBeVisible();
  });

  it("are read anew when somebody returns, and what is new is marked on request", async () => {
    const records = [entry({ address: "203.0.113.9" })];
    const { row, button, asked } = await open(records);
    await expect.element(row(/203\.0\.113\.9/)).toBeVisible();
    records.unshift(entry({ id: 5000, address: "203.0.113.10" }));
    await button("Refresh").click();
    await expect.element(row(/203\.0\.113\.10/)).toHaveAttribute("data-fresh");
    const before = asked().length;
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    window.dispatchEvent(new Event("visibilitychange"));
    await expect.poll(() => asked().length).toBe(before + 1);
    vi.useRealTimers();
  });
});

describe("the export", () => {
  it.each([
    ["For spreadsheets (CSV)", "csv"],
    ["For programs (JSON lines)", "jsonl"],
  ])("saves what is shown as a file: %s", async (choice, format) => {
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const { button, screen, service, asked } = await open([entry()], `/?search=kim&outcome=done&before=900`);
    await expect.poll(() => asked().length).toBe(1);
    await button("Export").click();
    await screen.getByRole("menuitem", { name: choice }).click();
    await expect.poll(said).toEqual([`The audit log was saved as audit-2026-03-05.${format}.`]);
    expect(saved).toEqual([`audit-2026-03-05.${format}`]);
    expect(service.to("GET", /export$/).map(({ query }) => Object.fromEntries(query))).toEqual([
      { actor: "kim", outcome: "done", format },
    ]);
    // It is in the log itself.
    await expect.poll(() => asked().length).toBe(2);
    vi.restoreAllMocks();
  });

  it.each([
    ["TOO_MANY_REQUESTS", "The audit log was exported too often. Try again in an hour."],
    ["INTERNAL_ERROR", "The audit log was not exported. Try again."],
  ] as const)("says that there is none: %s", async (code, message) => {
    const { button, screen } = await open([entry()], "/", { "GET /v1/audit/export": refuse(code) });
    await button("Export").click();
    await screen.getByRole("menuitem", { name: "For programs (JSON lines)" }).click();
    await expect.poll(said).toEqual([message]);
  });
});

describe("on a phone", () => {
  it("is a list of cards with the same details, and nothing scrolls sideways", async () => {
    await page.viewport(390, 844);
    const { screen, button } = await open([
      entry({ actor: { kind: "user", uuid: kim, email: `${"long".repeat(20)}@demo.test` } }),
    ]);
    await expect.element(screen.getByRole("list", { name: "Audit log" })).toBeVisible();
    await button("Details of Changed somebody’s role").click();
    await expect.element(screen.getByText("203.0.113.7")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});
