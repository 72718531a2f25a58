import type {
  Budget,
  MonthUse,
  Organization,
  Overview,
  Subscription,
  SubscriptionState,
  Usage,
  User,
} from "@terrarium/contract";
import { MemoryRouter, useLocation, useNavigate } from "react-router";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { longDate, shortDate } from "../../components/dates.ts";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { queryClient } from "../../session/client.ts";
import { routeRules } from "../../session/routes.ts";
import { MeContext } from "../../session/user.ts";
import { anId, anOrganization, aUser, manager, someSettings } from "../../testing/factories.ts";
import { aPage, type Call, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp, testCache } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import { anInvoice } from "../../testing/an-invoice.ts";
import { instanceTopic } from "../../shared/instance-topic.ts";
import DashboardPage from "./DashboardPage.tsx";
import { timeZone } from "./dashboard.queries.ts";
import { readPeriod } from "./period.ts";

const quiet: Overview = {
  people: { count: 10_002, without_second_factor: 0 },
  invitations: { pending: 2, expiring: 0, expired: 0, refused: 0 },
  groups: [],
  left_on: { count: 0, results: [] },
  billing: { spend: 12_345, unbilled: 345, forecast: null, currency: "USD", last_invoice: null },
};
interface Budgets {
  month: MonthUse;
  results: Budget[];
}
const noBudgets: Budgets = {
  month: {
    since: "2026-03-01T00:00:00Z",
    until: "2026-04-01T00:00:00Z",
    minutes: 1200,
    expected_minutes: 2400,
    amount: 6000,
    expected_amount: 12_000,
    currency: "USD",
  },
  results: [],
};
const aBudget = (fields: Partial<Budget> = {}): Budget => ({
  uuid: anId(),
  of: { kind: "group", uuid: anId(), name: "QA" },
  unit: "minutes",
  limit: 2000,
  stops: false,
  used: 800,
  expected: 1300,
  stops_at: null,
  ...fields,
});
const aPerson = (name: string) => ({ uuid: anId(), email: `${name}@fern.test`, first_name: "", last_name: "" });
const aUsage = (more: Partial<Usage> = {}): Usage => ({
  total: { seconds: 5 * 3600 + 67, starts: 3 },
  days: [
    { day: "2026-03-04", seconds: 5 * 3600, starts: 2 },
    { day: "2026-03-05", seconds: 67, starts: 1 },
  ],
  people: { results: [{ person: aPerson("robin"), seconds: 5 * 3600 + 67, starts: 3 }], others: null },
  groups: { results: [{ group: null, seconds: 5 * 3600 + 67, starts: 3 }], others: null },
  recipes: {
    results: [
      { recipe: { uuid: anId(), name: "Moss", is_deleted: true }, seconds: 5 * 3600, starts: 2 },
      { recipe: null, seconds: 67, starts: 1 },
    ],
    others: null,
  },
  ...more,
});
const nothing = aUsage({
  total: { seconds: 0, starts: 0 },
  people: { results: [], others: null },
  groups: { results: [], others: null },
  recipes: { results: [], others: null },
});
const aDevice = (fields: Partial<Overview["left_on"]["results"][number]> = {}) => ({
  uuid: anId(),
  name: "night-run",
  owner: aPerson("robin"),
  recipe_name: "Moss",
  created_at: "2026-03-04T08:00:00Z",
  online_at: "2026-03-04T08:00:00Z",
  idle_since: "2026-03-04T09:00:00Z",
  stops_at: null,
  minutes: 545,
  amount: 2725,
  currency: "USD" as const,
  ...fields,
});

function Address() {
  const { pathname, search } = useLocation();
  const go = useNavigate();
  return (
    <>
      <code data-testid="address">{pathname + search}</code>
      <button onClick={() => void go(-1)}>Back</button>
      <button onClick={() => void go("?period=custom&since=2025-05-01&until=2025-05-02")}>Other custom days</button>
    </>
  );
}

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  queryClient.clear();
  await page.viewport(1440, 900);
});

const aSubscription = (status: SubscriptionState): Subscription => ({
  uuid: anId(),
  plan: "payg",
  quantity: 1,
  is_active: status === "ACTIVE",
  cancel_at_period_end: false,
  current_period_start: "2026-03-02T09:00:00Z",
  current_period_end: "2026-03-09T09:00:00Z",
  renewal: { price: 20_600, ends_at: "2026-03-10T09:00:00Z" },
  items: [],
  status_history: [{ status, cancel_at_period_end: false, created_at: "2026-03-02T09:00:00Z" }],
  created_at: "2026-03-02T09:00:00Z",
  ended_at: null,
});

async function open({
  organization = anOrganization(),
  overview = quiet,
  usage = aUsage(),
  budgets = noBudgets,
  at = "",
  ...answers
}: {
  organization?: Organization;
  overview?: Overview;
  usage?: Usage;
  budgets?: Budgets;
  at?: string;
} & Record<string, unknown> = {}) {
  const now = { organization, overview };
  const cache = testCache();
  const service = fakeService({
    "GET /v1/settings": () => someSettings({ links: { ...someSettings().links, support: "/support" } }),
    "GET /v1/organizations/:uuid": () => now.organization,
    "GET /v1/usage/overview": () => now.overview,
    "GET /v1/usage": () => usage,
    "GET /v1/budgets": () => budgets,
    ...(answers as Parameters<typeof fakeService>[0]),
  });
  const screen = await render(
    <InTestApp client={cache} isRouted={false}>
      <MemoryRouter initialEntries={[`/administration/dashboard${at}`]}>
        <MeContext.Provider value={manager}>
          <DashboardPage />
          <Snacks />
          <Address />
        </MeContext.Provider>
      </MemoryRouter>
    </InTestApp>,
  );
  const card = (name: string) => screen.getByRole("region", { name });
  const asked = () => service.to("GET", /^\/v1\/usage$/).map(({ query }) => Object.fromEntries(query));
  return { screen, card, asked, now, cache, ...service };
}

describe("what is so now", () => {
  it("leads to where one changes it", async () => {
    const { screen } = await open();
    const tile = (name: RegExp) => screen.getByRole("link", { name });
    await expect.element(tile(/^Running devices 3 of 10/)).toHaveAttribute("href", "/launchpad?whose=organization");
    await expect.element(tile(/^Plan No plan yet Choose a plan/)).toHaveAttribute("href", "/administration/billing");
    await expect.element(tile(/^People 10,002/)).toHaveAttribute("href", "/administration/users");
    await expect
      .element(tile(/^Pending invitations 2/))
      .toHaveAttribute("href", "/administration/users?status=pending");
    await expect
      .element(tile(/^Spend this month \$123\.45 .*\$3\.45/))
      .toHaveAttribute("href", "/administration/billing");
    await expect
      .element(tile(/^Last invoice – Nothing was billed/))
      .toHaveAttribute("href", "/administration/invoices");
    await expect.element(screen.getByText("Nothing right now.")).toBeVisible();
    await expect.element(screen.getByText("No device was left on.")).toBeVisible();
  });

  it.each([
    ["Pay-as-you-go Active", "ACTIVE", "metered", null],
    ["Unlimited Active", "ACTIVE", "fixed", null],
    ["Fixed Active", null, "fixed", null],
    ["No plan yet Choose a plan", "INCOMPLETE", "pending", null],
    ["No plan yet Choose a plan", null, "pending", null],
    ["Trial Ends on", null, "pending", new Date(Date.now() + 86_400_000).toISOString()],
    ["Trial Ended on", null, "pending", "2026-03-02T09:00:00Z"],
  ] as const)("says which plan there is: %s", async (words, status, type, expires_at) => {
    const organization = anOrganization();
    const subscription = status && aSubscription(status);
    organization.license = { ...organization.license, type, expires_at, subscription };
    const { screen } = await open({ organization });
    await expect.element(screen.getByRole("link", { name: new RegExp(`^Plan ${words}`) })).toBeVisible();
  });

  it.each([
    ["No plan yet 60 free minutes left", null, "pending", 60, null],
    ["Trial Ends on .*, 1 free minute left", null, "pending", 1, new Date(Date.now() + 86_400_000).toISOString()],
    ["Trial Ended on [^,]*, \\d{4}$", null, "pending", 9, "2026-03-02T09:00:00Z"],
    ["Pay-as-you-go 5 free minutes left", "ACTIVE", "metered", 5, null],
    ["Unlimited Active", "ACTIVE", "fixed", 5, null],
  ] as const)("says which minutes are left: %s", async (words, status, type, minuteBalance, expires_at) => {
    const organization = anOrganization();
    const subscription = status && aSubscription(status);
    organization.license = { ...organization.license, type, expires_at, minuteBalance, subscription };
    const { screen, card } = await open({ organization });
    await expect.element(screen.getByRole("link", { name: new RegExp(`^Plan ${words}`) })).toBeVisible();
    expect(card("Needs a decision").getByText("The free minutes are used up").elements()).toEqual([]);
  });

  it("says that a plan must be chosen once the free minutes are used up", async () => {
    const organization = anOrganization();
    organization.license.type = "pending";
    const { card } = await open({ organization });
    const item = card("Needs a decision").getByRole("listitem");
    await expect.element(item.getByText("The free minutes are used up: no device can start.")).toBeVisible();
    await expect
      .element(item.getByRole("link", { name: "Choose a plan" }))
      .toHaveAttribute("href", "/administration/billing");
  });

  it("foretells what the month comes to, where minutes are paid", async () => {
    const { screen } = await open({ overview: { ...quiet, billing: { ...quiet.billing, forecast: 20_000 } } });
    await expect
      .element(screen.getByRole("link", { name: /^Spend this month \$123\.45 about \$200\.00 by the end.*\$3\.45/ }))
      .toBeVisible();
  });

  it("does not ask an organization to choose a plan that may start nothing", async () => {
    const organization = anOrganization();
    organization.license.is_active = false;
    const { screen } = await open({ organization });
    await expect.element(screen.getByRole("link", { name: /^Plan No plan yet Not active/ })).toBeVisible();
  });

  it("leads to the last invoice", async () => {
    const last_invoice = anInvoice({
      amount: 4_200,
      status_history: [{ status: "FAILED", created_at: "2026-03-02T09:00:00Z" }],
    });
    const { screen } = await open({ overview: { ...quiet, billing: { ...quiet.billing, last_invoice } } });
    await expect
      .element(screen.getByRole("link", { name: /^Last invoice \$42\.00 Failed: INV-000042 of March 2, 2026/ }))
      .toHaveAttribute("href", `/administration/invoices/${last_invoice.uuid}`);
  });

  it("changes when devices start or stop", async () => {
    const { screen, now, cache } = await open();
    await expect.element(screen.getByRole("link", { name: /^Running devices 3/ })).toBeVisible();
    now.organization = anOrganization(4);
    now.overview = { ...quiet, left_on: { count: 1, results: [aDevice()] } };
    for (const queryKey of instanceTopic.recount) void cache.invalidateQueries({ queryKey });
    await expect.element(screen.getByRole("link", { name: /^Running devices 4/ })).toBeVisible();
    await expect.element(screen.getByText("night-run")).toBeVisible();
  });

  it("says what needs a decision, and where it is made", async () => {
    const organization = anOrganization(8, 10);
    organization.license.is_active = false;
    const group = { uuid: anId(), name: "Android", running: 4, allocation: 5 };
    const { card } = await open({
      organization,
      overview: {
        ...quiet,
        people: { count: 4, without_second_factor: 1 },
        invitations: { pending: 9, expiring: 3, expired: 1, refused: 2 },
        groups: [group],
      },
    });
    const items = card("Needs a decision").getByRole("listitem");
    await expect.element(items.getByRole("link", { name: "Contact support" })).toBeVisible();
    const said = items.elements().map((item) => [item.textContent, item.querySelector("a")?.getAttribute("href")]);
    const pending = "/administration/users?status=pending";
    expect(said).toEqual([
      ["Your plan is not active: no device can start.Contact support", "/support"],
      ["8 of 10 devices run. Others cannot start once all do.See devices", "/launchpad?whose=organization"],
      [
        "1 person has no second factor yet, which your organization requires. They set one up when they next sign in.",
        undefined,
      ],
      ["2 invitations were refused by mail servers.See invitations", pending],
      ["1 invitation has expired.Send again", pending],
      ["3 invitations expire within 3 days.Send again", pending],
      ["Android: 4 of 5 devices run.Change quota", `/administration/groups?group=${group.uuid}`],
    ]);
  });

  it("says nothing of groups while these are switched off", async () => {
    onTestFinished(() => void Object.assign(routeRules.groups, { isDisabled: false }));
    Object.assign(routeRules.groups, { isDisabled: true });
    const { card } = await open({
      overview: {
        ...quiet,
        invitations: { ...quiet.invitations, expired: 1 },
        groups: [{ uuid: anId(), name: "Android", running: 4, allocation: 5 }],
      },
    });
    const items = card("Needs a decision").getByRole("listitem");
    await expect.element(items.getByText("1 invitation has expired.")).toBeVisible();
    expect(items.elements()).toHaveLength(1);
  });

  it.each([
    [-1, "Ended on", "Your plan ended on"],
    [6, "Ends on", "Your plan ends on"],
  ])("says when the plan ends, %d days from now, and whom to ask", async (days, tile, decision) => {
    const { screen, card, date } = await openEnding(days);
    await expect.element(screen.getByRole("link", { name: /^Plan/ }).getByText(`${tile} ${date}`)).toBeVisible();
    const item = card("Needs a decision").getByRole("listitem");
    await expect.poll(() => item.element().textContent).toContain(`${decision} ${date}`);
    await expect.element(item.getByRole("link", { name: "Contact support" })).toHaveAttribute("href", "/support");
  });

  it.each([
    ["SUSPENDED", false, "Your plan is suspended, as an invoice is not paid: no device can start."],
    ["OVERDUE", true, "An invoice is overdue. Your plan is suspended if it stays unpaid."],
    ["CANCELLED", true, "An invoice is overdue. No plan can begin before it is paid."],
    ["CANCELLED", false, "An invoice is overdue. No plan can begin before it is paid."],
  ] as const)("leads to what is to be paid by a plan that is %s", async (status, is_active, fact) => {
    const organization = anOrganization();
    organization.is_debtor = true;
    organization.license.is_active = is_active;
    organization.license.subscription = status === "CANCELLED" ? null : aSubscription(status);
    const { card } = await open({ organization });
    const items = card("Needs a decision").getByRole("listitem");
    await expect
      .element(items.getByRole("link", { name: "See invoices" }))
      .toHaveAttribute("href", "/administration/invoices");
    expect(items.elements().map((item) => item.textContent)).toEqual([`${fact}See invoices`]);
  });

  it("says that a plan which could not be renewed ends", async () => {
    const organization = anOrganization();
    organization.license = { ...organization.license, type: "fixed", subscription: aSubscription("ACTIVE") };
    const failed = anInvoice({ status_history: [{ status: "FAILED", created_at: "2026-03-02T09:00:00Z" }] });
    const { card } = await open({
      organization,
      overview: { ...quiet, billing: { ...quiet.billing, last_invoice: failed } },
    });
    const item = card("Needs a decision").getByRole("listitem");
    await expect
      .poll(() => item.element().textContent)
      .toBe("Your plan could not be renewed: it ends on March 10, 2026 unless its invoice is paid.See invoices");
  });

  it("has nothing to decide about a plan that ends later", async () => {
    const { screen, date } = await openEnding(8);
    await expect.element(screen.getByRole("link", { name: /^Plan/ }).getByText(`Ends on ${date}`)).toBeVisible();
    await expect.element(screen.getByText("Nothing right now.")).toBeVisible();
  });

  async function openEnding(days: number) {
    const organization = anOrganization();
    const end = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
    organization.license.expires_at = end.toISOString();
    return { ...(await open({ organization })), date: longDate(end, "") };
  }

  it("is silent about a limit that has room", async () => {
    const { screen } = await open({ organization: anOrganization(7, 10) });
    await expect.element(screen.getByText("Nothing right now.")).toBeVisible();
  });
});

describe("devices that were left on", () => {
  it("are stopped after a question", async () => {
    const device = aDevice();
    const { screen, card, to } = await open({
      overview: {
        ...quiet,
        left_on: { count: 27, results: [device, aDevice({ name: "other", stops_at: "2026-03-06T08:00:00Z" })] },
      },
      "POST /v1/instances/:uuid/stop-disposable": () => ({}),
    });
    const list = card("Left on");
    await expect.element(list.getByText(/never stops by itself/)).toBeVisible();
    expect(list.getByText(/never stops by itself/).elements()).toHaveLength(1);
    await expect.element(list.getByText(/9 h 5 min so far, \$27\.25/).first()).toBeVisible();
    await expect.element(list.getByRole("link", { name: "25 more devices" })).toBeVisible();
    await list.getByRole("button", { name: "Stop night-run" }).click();
    expect(to("POST", /stop/)).toEqual([]);
    await screen.getByRole("dialog").getByRole("button", { name: "Stop device" }).click();
    await expect
      .poll(() => to("POST", /stop-disposable/).map(({ path }) => path))
      .toEqual([`/v1/instances/${device.uuid}/stop-disposable`]);
  });
});

describe("budgets", () => {
  it("say what this month comes to, and what is set", async () => {
    const { card, screen } = await open();
    const section = card("Budgets");
    await expect.element(section.getByText(/^This month: 1,200 min, \$60\.00\. At the pace/)).toBeVisible();
    await expect.element(section.getByText(/2,400 min, \$120\.00, by March 31\./)).toBeVisible();
    await expect.element(section.getByText(/^No budget is set/)).toBeVisible();
    await expect.element(screen.getByText("Nothing right now.")).toBeVisible();
  });

  it("are set for a group, in money, with a stop", async () => {
    const night = { uuid: anId(), name: "Night", subgroups: [] };
    const group = { uuid: anId(), name: "QA", subgroups: [night] };
    const { screen, card, to } = await open({
      "GET /v1/groups": () => [group],
      "POST /v1/budgets": () => aBudget(),
    });
    await card("Budgets").getByRole("button", { name: "Set a budget" }).click();
    const dialog = screen.getByRole("dialog", { name: "Set a budget" });
    const save = dialog.getByRole("button", { name: "Save budget" });
    await save.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByRole("button", { name: "A group" }).click();
    await dialog.getByRole("combobox", { name: "Group" }).click();
    await screen.getByRole("option", { name: /Night/ }).click();
    await dialog.getByRole("textbox", { name: "Minutes each month" }).fill("1.5");
    await save.click();
    await expect.element(dialog.getByText("Must be an integer")).toBeVisible();
    await dialog.getByRole("button", { name: "Money" }).click();
    await dialog.getByRole("textbox", { name: "USD each month" }).fill("12.50");
    await dialog.getByRole("checkbox", { name: "Stop devices when it is used up" }).click();
    expect(to("POST", /budgets/)).toEqual([]);
    await save.click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(to("POST", /budgets/).map(({ body }) => body)).toEqual([
      { group_uuid: night.uuid, user_uuid: null, unit: "cents", limit: 1250, stops: true },
    ]);
  });

  it("that are nearly used need a decision, and those used up can be extended, changed and removed", async () => {
    const stops_at = new Date(2026, 2, 9, 14, 10).toISOString();
    const mine = aBudget({ used: 2100, stops: true, stops_at });
    const { screen, card, to } = await open({
      budgets: { ...noBudgets, results: [mine, aBudget({ of: { kind: "person", uuid: anId(), name: "Kim" } })] },
      "POST /v1/budgets/:uuid/extend": () => mine,
      "PUT /v1/budgets/:uuid": () => mine,
      "DELETE /v1/budgets/:uuid": () => undefined,
    });
    await expect.element(screen.getByText("QA: 105 % of the budget of this month is used.")).toBeVisible();
    expect(screen.getByText(/of the budget of this month/).elements()).toHaveLength(1);
    await expect
      .element(screen.getByRole("link", { name: "See budgets" }))
      .toHaveAttribute("href", "/administration/dashboard#budgets");
    const section = card("Budgets");
    await expect
      .element(section.getByRole("progressbar", { name: "QA" }))
      .toHaveAttribute("aria-valuetext", "2,100 min of 2,000 min used");
    await expect.element(section.getByText(/stop at .*2:10|stop at 14:10/)).toBeVisible();
    await section.getByRole("button", { name: "Let them run 1 hour more" }).click();
    await expect.poll(() => to("POST", /extend/).map(({ path }) => path)).toEqual([`/v1/budgets/${mine.uuid}/extend`]);
    await section.getByRole("button", { name: "Change the budget of QA" }).click();
    const dialog = screen.getByRole("dialog", { name: "Budget of QA" });
    await dialog.getByRole("textbox", { name: "Minutes each month" }).fill("3000");
    await dialog.getByRole("button", { name: "Save budget" }).click();
    await expect
      .poll(() => to("PUT", /budgets/).map(({ body }) => body))
      .toEqual([{ unit: "minutes", limit: 3000, stops: true }]);
    await section.getByRole("button", { name: "Remove the budget of Kim" }).click();
    expect(to("DELETE", /budgets/)).toEqual([]);
    await screen.getByRole("dialog").getByRole("button", { name: "Remove budget" }).click();
    await expect.poll(() => to("DELETE", /budgets/)).toHaveLength(1);
  });

  it("are set within bounds, for a person who is there", async () => {
    const kim = aUser({ uuid: anId(), email: "kim@fern.test" });
    const elsewhere = { ...kim, organization: kim.organization && { ...kim.organization, uuid: anId() } };
    let found: User[] = [];
    const { screen, card, to } = await open({
      "GET /v2/users": ({ query }: Call) => aPage(query.get("field") === "email" ? found : []),
      "POST /v1/budgets": () => aBudget(),
    });
    await card("Budgets").getByRole("button", { name: "Set a budget" }).click();
    const dialog = screen.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save budget" });
    const minutes = dialog.getByRole("textbox", { name: "Minutes each month" });
    for (const wrong of ["0", "1000000001"]) {
      await minutes.fill(wrong);
      await save.click();
      await expect.element(minutes).toHaveAttribute("aria-invalid", "true");
    }
    await dialog.getByRole("button", { name: "Money" }).click();
    const amount = dialog.getByRole("textbox", { name: "USD each month" });
    for (const wrong of ["0", "1.005", "10000000.01"]) {
      await amount.fill(wrong);
      await save.click();
      await expect.element(amount).toHaveAttribute("aria-invalid", "true");
    }
    await amount.fill("7");
    await dialog.getByRole("button", { name: "A group" }).click();
    await save.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByRole("button", { name: "A person" }).click();
    await save.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByRole("combobox", { name: "Person" }).fill(`${kim.email} `);
    // Nobody has the address, then somebody in another organization.
    for (const people of [[], [elsewhere]]) {
      found = people;
      await save.click();
      await expect.element(dialog.getByText("Some emails weren't found in the organization.")).toBeVisible();
    }
    expect(to("POST", /budgets/)).toEqual([]);
    found = [kim];
    await save.click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(to("POST", /budgets/).map(({ body }) => body)).toEqual([
      { group_uuid: null, user_uuid: kim.uuid, unit: "cents", limit: 700, stops: false },
    ]);
  });

  it("that are counted in money begin with their amount, and stay whose they are", async () => {
    const mine = aBudget({ unit: "cents", limit: 1250, used: 1000, expected: 1250 });
    const { screen, card, to } = await open({
      budgets: { ...noBudgets, results: [mine] },
      "PUT /v1/budgets/:uuid": refuse("BUDGET_NOT_FOUND"),
    });
    const section = card("Budgets");
    await expect.element(section.getByText(/^\$10\.00 of \$12\.50 used · .*\$12\.50/)).toBeVisible();
    await section.getByRole("button", { name: "Change the budget of QA" }).click();
    const dialog = screen.getByRole("dialog", { name: "Budget of QA" });
    await expect.element(dialog.getByRole("textbox", { name: "USD each month" })).toHaveValue("12.50");
    expect(dialog.getByRole("button", { name: "A group" }).elements()).toEqual([]);
    await dialog.getByRole("button", { name: "Save budget" }).click();
    await expect.element(dialog.getByText(/^It is gone/)).toBeVisible();
    expect(to("PUT", /budgets/).map(({ body }) => body)).toEqual([{ unit: "cents", limit: 1250, stops: false }]);
  });

  it("warn by their colour once they are nearly used, and once they are", async () => {
    const of = (name: string) => ({ kind: "group" as const, uuid: anId(), name });
    const results = [
      aBudget({ of: of("some"), used: 1599 }),
      aBudget({ of: of("most"), used: 1600, stops: true }),
      aBudget({ of: of("all"), used: 2000 }),
    ];
    const { card } = await open({ budgets: { ...noBudgets, results } });
    const section = card("Budgets");
    await expect.element(section.getByRole("progressbar", { name: "all" })).toBeVisible();
    const colors = section.getByRole("progressbar").elements();
    expect(colors.map(({ className }) => /color(Primary|Warning|Error)/.exec(className)?.[1])).toEqual([
      "Primary",
      "Warning",
      "Error",
    ]);
    const items = section.getByRole("listitem").elements();
    expect(items.map(({ textContent }) => /then devices stop|only warns/.exec(textContent)?.[0])).toEqual([
      "only warns",
      "then devices stop",
      "only warns",
    ]);
    expect(section.getByRole("button", { name: "Let them run 1 hour more" }).elements()).toEqual([]);
  });

  it("are neither extended nor removed when that is refused, which is said, and those that are gone are removed", async () => {
    const mine = aBudget({ stops: true, stops_at: new Date().toISOString() });
    let code: "INTERNAL_ERROR" | "BUDGET_NOT_FOUND" = "INTERNAL_ERROR";
    const { screen, card } = await open({
      budgets: { ...noBudgets, results: [mine] },
      "POST /v1/budgets/:uuid/extend": refuse("INTERNAL_ERROR"),
      "DELETE /v1/budgets/:uuid": () => refuse(code)(),
    });
    const section = card("Budgets");
    await section.getByRole("button", { name: "Let them run 1 hour more" }).click();
    await expect.element(screen.getByText(/it was not extended/)).toBeVisible();
    const remove = async () => {
      await section.getByRole("button", { name: "Remove the budget of QA" }).click();
      await screen.getByRole("dialog").getByRole("button", { name: "Remove budget" }).click();
    };
    await remove();
    await expect.element(screen.getByText(/was not removed/)).toBeVisible();
    code = "BUDGET_NOT_FOUND";
    await remove();
    await expect.element(screen.getByText(/was not removed/)).not.toBeInTheDocument();
  });

  it.each([
    ["BUDGET_EXISTS", /has a budget already/],
    ["TOO_MANY_BUDGETS", /200 budgets/],
    ["GROUP_NOT_FOUND", /^It is gone/],
    ["INTERNAL_ERROR", /^The budget was not saved/],
  ] as const)("are not set when that is refused with %s, which is said", async (code, said) => {
    const { screen, card } = await open({ "POST /v1/budgets": refuse(code) });
    await card("Budgets").getByRole("button", { name: "Set a budget" }).click();
    const dialog = screen.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Minutes each month" }).fill("5");
    await dialog.getByRole("button", { name: "Save budget" }).click();
    await expect.element(dialog.getByText(said)).toBeVisible();
  });

  it("say when they did not load, and are asked for again", async () => {
    let works = false;
    const { screen, card } = await open({ "GET /v1/budgets": () => (works ? noBudgets : refuse("INTERNAL_ERROR")()) });
    await expect.element(screen.getByText("Budgets did not load.")).toBeVisible();
    works = true;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(card("Budgets")).toBeVisible();
  });
});

describe("usage", () => {
  it("is a chart by day that can be read as a table", async () => {
    const { card } = await open();
    const days = card("By day");
    await expect
      .element(days.getByRole("figure", { name: "By day: 5 h 1 min online, 3 starts. The table has each day." }))
      .toBeVisible();
    await expect
      .poll(
        () =>
          days
            .element()
            .querySelectorAll(
              "svg .MuiBarChart-element, svg .MuiBarElement-root, svg rect[class*=Bar], svg path[class*=Bar]",
            ).length,
      )
      .toBeGreaterThan(0);
    await days.getByRole("button", { name: "Table" }).click();
    const rows = days.getByRole("row");
    expect(rows.elements().map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ["Day", "Time online", "Starts"],
      ["Thu, Mar 5", "1 min 7 s", "1"],
      ["Wed, Mar 4", "5 h 0 min", "2"],
    ]);
  });

  it("has whole minutes beside the chart, however short the use was", async () => {
    const days = [{ day: "2026-03-05", seconds: 5, starts: 1 }];
    const { card } = await open({ usage: aUsage({ days, total: { seconds: 5, starts: 1 } }) });
    const ticks = () =>
      [...card("By day").element().querySelectorAll("text")]
        .map(({ textContent }) => textContent)
        .filter((text) => !text.startsWith("Mar"));
    await expect.poll(ticks).toEqual(["0 min", "1 min", "2 min", "3 min", "4 min"]);
  });

  it("names days below the chart that lie as far from each other", async () => {
    const days = Array.from({ length: 30 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 1, 22 + index)).toISOString().slice(0, 10);
      return { day, seconds: 60, starts: 1 };
    });
    const { card } = await open({ usage: aUsage({ days, total: { seconds: 1800, starts: 30 } }) });
    const named = () =>
      [...card("By day").element().querySelectorAll("text")].flatMap(({ textContent }) => {
        const at = Date.parse(`${textContent} 2026 UTC`);
        return textContent.includes("min") ? [] : (at - Date.UTC(2026, 1, 22)) / 86_400_000;
      });
    await page.viewport(1280, 800);
    await expect.poll(named).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24, 27]);
    await page.viewport(390, 844);
    await expect.poll(named).toEqual([0, 6, 12, 18, 24]);
  });

  it("is by person, group and recipe, also of those that are gone", async () => {
    const { card } = await open();
    await expect.element(card("By person").getByRole("row", { name: "robin@fern.test 5 h 1 min 3" })).toBeVisible();
    await expect.element(card("By group").getByRole("row", { name: "In no group 5 h 1 min 3" })).toBeVisible();
    await expect.element(card("By recipe").getByRole("row", { name: "Moss · deleted 5 h 0 min 2" })).toBeVisible();
    await expect.element(card("By recipe").getByRole("row", { name: "Deleted recipe 1 min 7 s 1" })).toBeVisible();
  });

  it("shows a few, then all, and the others together", async () => {
    const results = Array.from({ length: 100 }, (_, index) => ({
      person: aPerson(`person-${index}`),
      seconds: 1000 - index,
      starts: 1,
    }));
    const { card } = await open({
      usage: aUsage({ people: { results, others: { count: 9_900, seconds: 99_000, starts: 9_900 } } }),
    });
    const rows = card("By person").getByRole("row");
    await expect.poll(() => rows.elements().length).toBe(9);
    await card("By person").getByRole("button", { name: "Show the first 100" }).click();
    expect(rows.elements()).toHaveLength(102);
    await expect.element(card("By person").getByRole("row", { name: "9900 others 27 h 30 min 9900" })).toBeVisible();
  });

  it("is of the last thirty days in the viewer's time zone, or of the period in the address", async () => {
    const today = shortDate(new Date(), "");
    const { screen, asked } = await open();
    const asks = (name: string) => {
      const { since, until } = readPeriod(new URLSearchParams({ period: name }), today);
      return { since, until, time_zone: timeZone() };
    };
    await expect.poll(asked).toEqual([asks("30")]);
    await screen.getByRole("combobox", { name: "Period" }).click();
    await screen.getByRole("option", { name: "This month" }).click();
    await expect.element(screen.getByTestId("address")).toHaveTextContent("/administration/dashboard?period=month");
    await expect.poll(() => asked().at(-1)).toEqual(asks("month"));
  });

  it("is of days that are typed, once they make sense", async () => {
    const { screen, asked } = await open({ at: "?period=custom&since=2026-01-01&until=2026-01-31" });
    await expect.poll(() => asked().at(-1)).toMatchObject({ since: "2026-01-01", until: "2026-01-31" });
    await screen.getByLabelText("Last day").fill("2025-12-31");
    await expect.element(screen.getByText("The last day is before the first")).toBeVisible();
    expect(asked()).toHaveLength(1);
    await screen.getByLabelText("First day").fill("2025-12-30");
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => asked().at(-1)).toMatchObject({ since: "2025-12-30", until: "2025-12-31" });
    await expect
      .element(screen.getByTestId("address"))
      .toHaveTextContent("/administration/dashboard?period=custom&since=2025-12-30&until=2025-12-31");
  });

  it("is of days that are typed without a step of the way back for each, and its fields follow that way", async () => {
    const { screen, asked } = await open();
    const address = screen.getByTestId("address");
    await screen.getByRole("combobox", { name: "Period" }).click();
    await screen.getByRole("option", { name: "Other days" }).click();
    const [first, last] = [screen.getByLabelText("First day"), screen.getByLabelText("Last day")];
    await first.fill("2026-01-01");
    const before = asked().length;
    await first.fill("2026-01-02");
    expect(asked()).toHaveLength(before);
    await last.fill("2026-01-31");
    await expect.poll(() => asked().at(-1)).toMatchObject({ since: "2026-01-02" });
    await userEvent.keyboard("{Enter}");
    await expect
      .element(address)
      .toHaveTextContent("/administration/dashboard?period=custom&since=2026-01-02&until=2026-01-31");
    await screen.getByRole("button", { name: "Other custom days" }).click();
    await expect.element(first).toHaveValue("2025-05-01");
    await screen.getByRole("button", { name: "Back" }).click();
    await expect.element(first).toHaveValue("2026-01-02");
    await expect.element(last).toHaveValue("2026-01-31");
    await screen.getByRole("button", { name: "Back" }).click();
    await expect.element(screen.getByRole("combobox", { name: "Period" })).toHaveTextContent("Last 30 days");
  });

  it("is saved as a file for the same days", async () => {
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    const { screen, to } = await open({
      at: "?period=custom&since=2026-01-01&until=2026-01-31",
      "GET /v1/usage/export": () => new Response("PK"),
    });
    await screen.getByRole("button", { name: "Export" }).click();
    await screen.getByRole("menuitem", { name: "For spreadsheets (XLSX)" }).click();
    await expect.poll(() => saved).toEqual(["usage-2026-01-01-2026-01-31.xlsx"]);
    expect(Object.fromEntries(to("GET", /export/)[0]!.query)).toEqual({
      since: "2026-01-01",
      until: "2026-01-31",
      format: "xlsx",
      time_zone: timeZone(),
    });
    click.mockRestore();
  });

  it("says why there is no file", async () => {
    const { screen } = await open({ "GET /v1/usage/export": refuse("USAGE_TOO_LARGE") });
    await screen.getByRole("button", { name: "Export" }).click();
    await screen.getByRole("menuitem", { name: "For any program (CSV)" }).click();
    await expect.element(screen.getByText(/more than 1,000,000 runs/)).toBeVisible();
  });

  it("invites to start a device where none was online", async () => {
    const { screen } = await open({ usage: nothing });
    await expect.element(screen.getByText("No device was online in these days")).toBeVisible();
    await expect.element(screen.getByRole("link", { name: "Start a device" })).toHaveAttribute("href", "/launchpad");
  });
});

it("says what did not load, shows the rest, and tries again", async () => {
  let isDown = true;
  const { screen } = await open({
    "GET /v1/usage": () => (isDown ? refuse("INTERNAL_ERROR")() : aUsage()),
  });
  await expect.element(screen.getByText("Fail to fetch the usage.")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: /^Running devices 3/ })).toBeVisible();
  isDown = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByRole("region", { name: "By day" })).toBeVisible();
});

it("shows budgets and what was used once all above is there, and asks for it before", async () => {
  const [now, read] = [Promise.withResolvers<Overview>(), Promise.withResolvers<Budgets>()];
  const answers = { "GET /v1/usage/overview": () => now.promise, "GET /v1/budgets": () => read.promise };
  const { screen, asked, to } = await open(answers);
  await expect.element(screen.getByLabelText(/^Loading/).first()).toBeVisible();
  expect([asked().length, to("GET", /budgets/).length]).toEqual([1, 1]);
  expect(screen.getByLabelText("Loading budgets").elements()).toEqual([]);
  now.resolve(quiet);
  await expect.element(screen.getByRole("link", { name: /^Running devices 3/ })).toBeVisible();
  await expect.element(screen.getByLabelText("Loading budgets")).toBeVisible();
  await expect.element(screen.getByText("Usage", { exact: true })).not.toBeVisible();
  read.resolve(noBudgets);
  await expect.element(screen.getByRole("heading", { name: "Usage" })).toBeVisible();
});

it("fits a phone with the longest names, and every control has a name", async () => {
  await page.viewport(390, 844);
  const long = "Wholly-Unreasonable-Name-Without-A-Break-".repeat(6).slice(0, 250);
  const { screen, card } = await open({
    at: "?period=custom&since=2026-01-01&until=2026-01-31",
    overview: {
      ...quiet,
      groups: [{ uuid: anId(), name: long, running: 5, allocation: 5 }],
      left_on: { count: 1, results: [aDevice({ name: long, owner: { ...aPerson("x"), first_name: long } })] },
    },
    usage: aUsage({
      people: {
        results: [{ person: { ...aPerson("x"), first_name: long }, seconds: 4_000_000, starts: 12_345 }],
        others: null,
      },
    }),
  });
  await expect.element(card("By person").getByRole("row").nth(1)).toBeVisible();
  await expect.element(card("Left on").getByRole("listitem")).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(nameless(screen.container)).toEqual([]);
});
