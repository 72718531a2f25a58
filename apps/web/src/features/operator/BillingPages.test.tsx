import type { Invoice, OperatedBilling, OperatedPrices, ServiceClock } from "@terrarium/contract";
import { Route, Routes } from "react-router";
import { beforeEach, describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { closeSnack, readSnacks } from "../../components/snack-queue.ts";
import { Snacks } from "../../components/Snacks.tsx";
import { anInvoice } from "../../testing/an-invoice.ts";
import { anId } from "../../testing/factories.ts";
import { aPage, fakeService, refuse } from "../../testing/fake-service.ts";
import { InTestApp } from "../../testing/InTestApp.tsx";
import { nameless } from "../../testing/names.ts";
import BillingRunPage from "./BillingRunPage.tsx";
import type { DueInvoice } from "./operator.queries.ts";
import OrganizationBillingPage from "./OrganizationBillingPage.tsx";
import { anOperatedOrganization } from "./testing/operator-rows.ts";

beforeEach(async () => {
  for (const { id } of readSnacks()) closeSnack(id);
  await page.viewport(1440, 900);
});

const at = "2026-03-02T09:00:00.000Z";
const organization = anOperatedOrganization({ name: "N".repeat(200) });
const base = "/v1/operator/organizations/:uuid";

const paysByUse: OperatedBilling = {
  is_debtor: true,
  own_tax: null,
  tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 19 },
  balance: { minutes: 1_200, amount: 345, waiting: 0, currency: "EUR" },
  plan: {
    uuid: anId(),
    plan: "payg",
    quantity: 1,
    is_active: true,
    cancel_at_period_end: false,
    current_period_start: at,
    current_period_end: "2026-03-09T09:00:00.000Z",
    renewal: null,
    items: [
      { quantity: 1, plan: { id: "payg", price: 5, currency: "EUR", interval: "minute", usage_type: "metered" } },
    ],
    status_history: [{ status: "OVERDUE", cancel_at_period_end: false, created_at: at }],
    created_at: at,
    ended_at: null,
  },
};

const prices: OperatedPrices = {
  currency: "USD",
  settings: {
    minute_cents: 5,
    unlimited_monthly_cents: 20_600,
    annual_discount: 17,
    payg_threshold_cents: 5_000,
    trial_minutes: 60,
    trial_days: 14,
  },
  set: {
    minute_cents: 7,
    unlimited_monthly_cents: null,
    annual_discount: null,
    payg_threshold_cents: null,
    trial_minutes: 0,
    trial_days: null,
  },
};

async function open(
  address: string,
  answers: Parameters<typeof fakeService>[0] = {},
  { billing = paysByUse, invoices = [anInvoice()] }: { billing?: OperatedBilling; invoices?: Invoice[] } = {},
) {
  const service = fakeService({
    [`GET ${base}`]: () => organization,
    [`GET ${base}/billing`]: () => billing,
    [`GET ${base}/invoices`]: () => aPage(invoices),
    "GET /v1/operator/prices": () => prices,
    "GET /v1/operator/clock": (): ServiceClock => ({ now: at, ahead_seconds: 129_600, is_movable: true }),
    ...answers,
  });
  const screen = await render(
    <InTestApp address={address}>
      <Routes>
        <Route path="/operator/billing" element={<BillingRunPage />} />
        <Route path="/operator/organizations/:uuid/billing" element={<OrganizationBillingPage />} />
      </Routes>
      <Snacks />
    </InTestApp>,
  );
  return { screen, service, dialog: screen.getByRole("dialog") };
}
const ofOne = `/operator/organizations/${organization.uuid}/billing`;

describe("the billing of an organization", () => {
  it.each([1440, 390])("shows how it pays, at %i pixels", async (width) => {
    await page.viewport(width, 900);
    const { screen } = await open(ofOne);
    await expect.element(screen.getByText("INV-000042")).toBeVisible();
    const facts = screen.getByRole("region", { name: "Plan and balance" }).element().textContent;
    for (const fact of ["Pay-as-you-go", "Overdue", "€0.05 a minute", "1,200", "€3.45", "19% VAT DE"])
      expect(facts).toContain(fact);
    expect(nameless()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  });

  it("has invoices, or the credit notes that the address asks for, or none", async () => {
    const { screen, service } = await open(`${ofOne}?nature=CREDIT`, {}, { invoices: [] });
    await expect.element(screen.getByText("There are none on this page")).toBeVisible();
    expect(service.to("GET", /invoices/)[0]?.query.get("nature")).toBe("CREDIT");
  });

  it.each([
    ["payg", "It ends at once: what was used is billed, and all its devices stop."],
    ["monthly", "It stays until March 9, 2026 and is not renewed. The managers are told by mail."],
  ] as const)("cancels a plan that is %s for a reason, after saying what that does", async (kind, says) => {
    const billing = { ...paysByUse, plan: { ...paysByUse.plan!, plan: kind } };
    const { screen, service, dialog } = await open(ofOne, { [`POST ${base}/cancel-plan`]: () => billing }, { billing });
    await screen.getByRole("button", { name: "Cancel plan" }).click();
    await expect.element(dialog.getByText(says)).toBeVisible();
    await dialog.getByLabelText("Reason").fill("asked for by mail");
    await dialog.getByRole("button", { name: "Cancel plan" }).click();
    await expect.element(screen.getByText("Done. The managers read it in their audit log.")).toBeVisible();
    expect(service.to("POST", /cancel-plan/)[0]?.body).toEqual({ reason: "asked for by mail" });
  });

  it("gives minutes for a reason, as many as may be", async () => {
    const { screen, service, dialog } = await open(ofOne, { [`POST ${base}/minutes`]: () => paysByUse });
    await screen.getByRole("button", { name: "Give free minutes" }).click();
    const submit = dialog.getByRole("button", { name: "Give free minutes" });
    await dialog.getByLabelText("Minutes").fill("0");
    await submit.click();
    await expect.element(dialog.getByText("Must be at least 1")).toBeVisible();
    for (const wrong of ["10000001", "1.5", ""]) {
      await dialog.getByLabelText("Minutes").fill(wrong);
      await submit.click();
      await expect.element(dialog.getByLabelText("Minutes")).toHaveAttribute("aria-invalid", "true");
    }
    await dialog.getByLabelText("Minutes").fill("60");
    await submit.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByLabelText("Reason").fill("an outage");
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByText(/^Done\. The managers/)).toBeVisible();
    expect(service.to("POST", /minutes/)[0]?.body).toEqual({ reason: "an outage", minutes: 60 });
  });

  it("changes the price, in cents as people write them", async () => {
    const { screen, service, dialog } = await open(ofOne, { [`PUT ${base}/price`]: () => paysByUse });
    await screen.getByRole("button", { name: "Change price" }).click();
    await expect.element(dialog.getByLabelText("Price in EUR")).toHaveValue("0.05");
    await dialog.getByLabelText("Reason").fill("agreed");
    for (const wrong of ["many", "-1", "0.045", "10000.01"]) {
      await dialog.getByLabelText("Price in EUR").fill(wrong);
      await dialog.getByRole("button", { name: "Change price" }).click();
      await expect.element(dialog.getByText("Enter an amount such as 12.50, up to 10000")).toBeVisible();
    }
    await dialog.getByLabelText("Price in EUR").fill("");
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await dialog.getByLabelText("Price in EUR").fill("0.29");
    await dialog.getByRole("button", { name: "Change price" }).click();
    await expect.element(screen.getByText(/^Done\./)).toBeVisible();
    expect(service.to("PUT", /price/)[0]?.body).toEqual({ reason: "agreed", price: 29 });
  });

  it("has no price to change and nothing to cancel before a plan has begun", async () => {
    const plan = {
      ...paysByUse.plan!,
      status_history: [{ ...paysByUse.plan!.status_history[0]!, status: "INCOMPLETE" as const }],
    };
    const { screen } = await open(ofOne, {}, { billing: { ...paysByUse, plan } });
    await expect.element(screen.getByRole("button", { name: "Change tax" })).toBeVisible();
    for (const name of ["Change price", "Cancel plan"])
      expect(screen.getByRole("button", { name }).elements()).toEqual([]);
  });

  it.each([
    ["its country", null, "19% VAT DE", ""],
    ["what was agreed", 5.5, "5.5 %, as agreed", "5.5"],
    ["none, as agreed", 0, "Exempt, as agreed", "0"],
  ])("shows its tax, that of %s, and changes it", async (_, own_tax, shown, typed) => {
    const billing = { ...paysByUse, own_tax };
    const { screen, service, dialog } = await open(ofOne, { [`PUT ${base}/tax`]: () => billing }, { billing });
    await expect.element(screen.getByText(shown, { exact: true })).toBeVisible();
    await screen.getByRole("button", { name: "Change tax" }).click();
    const field = dialog.getByLabelText("Percent");
    await expect.element(field).toHaveValue(typed);
    await dialog.getByLabelText("Reason").fill("agreed");
    const submit = dialog.getByRole("button", { name: "Change tax" });
    for (const wrong of ["101", "-1", "a", "7.555"]) {
      await field.fill(wrong);
      await submit.click();
      await expect.element(field).toHaveAttribute("aria-invalid", "true");
    }
    expect(service.to("PUT", /tax/)).toEqual([]);
    await field.fill(own_tax === null ? "7.5" : "");
    await submit.click();
    await expect.element(screen.getByText(/^Done\./)).toBeVisible();
    expect(service.to("PUT", /tax/)[0]?.body).toEqual({ reason: "agreed", percentage: own_tax === null ? 7.5 : null });
  });

  it("marks as paid what is due, and pays back what is paid", async () => {
    const paid = anInvoice({
      invoice_number: "INV-000041",
      amount: 1_000,
      status_history: [{ status: "ACCEPTED", created_at: at }],
    });
    const due = anInvoice();
    const { screen, service, dialog } = await open(
      ofOne,
      {
        "POST /v1/operator/invoices/:uuid/mark-paid": () => undefined,
        "POST /v1/operator/invoices/:uuid/refund": refuse("INVOICE_NOT_REFUNDABLE"),
      },
      { invoices: [due, paid, anInvoice({ amount: -500, invoice_number: "INV-000040" })] },
    );
    await expect.element(screen.getByRole("button", { name: "Pay INV-000041 back" })).toBeVisible();
    // Credit notes and what is not paid yet are not paid back.
    for (const name of [/INV-000040/, "Pay INV-000042 back"])
      expect(screen.getByRole("button", { name }).elements()).toEqual([]);
    await screen.getByRole("button", { name: "Mark INV-000042 as paid" }).click();
    await dialog.getByLabelText("Reason").fill("by transfer");
    await dialog.getByRole("button", { name: "Mark as paid" }).click();
    await expect.element(screen.getByText(/^Done\./)).toBeVisible();
    expect(service.to("POST", /mark-paid/)[0]).toMatchObject({
      path: expect.stringContaining(due.uuid),
      body: { reason: "by transfer" },
    });
    await screen.getByRole("button", { name: "Pay INV-000041 back" }).click();
    await dialog.getByLabelText("Amount in USD").fill("10.01");
    await dialog.getByLabelText("Reason").fill("an outage");
    await dialog.getByRole("button", { name: "Pay back" }).click();
    await expect.element(dialog.getByText("Enter an amount such as 12.50, up to 10")).toBeVisible();
    await dialog.getByLabelText("Amount in USD").fill("2.5");
    await dialog.getByRole("button", { name: "Pay back" }).click();
    await expect.element(dialog.getByText("The invoice is not as it was shown. Look again.")).toBeVisible();
    expect(service.to("POST", /refund/)[0]?.body).toEqual({ reason: "an outage", amount: 250 });
  });

  it("says that its plan ends, and that it has none any more when its price is changed", async () => {
    const status_history = [{ status: "ACTIVE" as const, cancel_at_period_end: true, created_at: at }];
    const billing = { ...paysByUse, plan: { ...paysByUse.plan!, status_history } };
    const refused = { [`PUT ${base}/price`]: refuse("SUBSCRIPTION_NOT_FOUND") };
    const { screen, dialog } = await open(ofOne, refused, { billing });
    await expect.element(screen.getByText(/^Active, .*ends/)).toBeVisible();
    await screen.getByRole("button", { name: "Change price" }).click();
    await dialog.getByLabelText("Reason").fill("agreed");
    await dialog.getByRole("button", { name: "Change price" }).click();
    await expect.element(dialog.getByText("This organization has no plan any more.")).toBeVisible();
  });

  it("did not load, which is said", async () => {
    const { screen } = await open(ofOne, { [`GET ${base}/billing`]: refuse("INTERNAL_ERROR") });
    await expect.element(screen.getByText("The billing did not load.")).toBeVisible();
  });
});

const aDue: DueInvoice = {
  invoice_number: null,
  organization: { uuid: organization.uuid, name: "Fernworks" },
  period_start: at,
  period_end: "2026-03-09T09:00:00.000Z",
  net: 1_000,
  tax: 190,
  amount: 1_190,
  currency: "EUR",
  balance_used: 60,
};

describe("billing", () => {
  it("shows what is due by a day, and bills once it is confirmed", async () => {
    const { screen, service, dialog } = await open("/operator/billing?until=week", {
      "GET /v1/operator/billing/due": () => ({ count: 1, invoices: [aDue] }),
      "POST /v1/operator/billing/run": () => ({ count: 2, invoices: [] }),
    });
    await expect.element(screen.getByRole("row", { name: /Fernworks.*60.*€10\.00.*€1\.90.*€11\.90/ })).toBeVisible();
    expect(nameless()).toEqual([]);
    // By the clock of the service.
    expect(service.to("GET", /due/)[0]?.query.get("until")).toBe("2026-03-09T09:00:00.000Z");
    await screen.getByRole("button", { name: "Bill now" }).click();
    expect(service.to("POST", /run/)).toEqual([]);
    await dialog.getByRole("button", { name: "Bill now" }).click();
    await expect.element(screen.getByText("2 invoices were issued")).toBeVisible();
  });

  it("says that it shows the first of many", async () => {
    const due = (count: number) => ({ "GET /v1/operator/billing/due": () => ({ count, invoices: [aDue] }) });
    const { screen } = await open("/operator/billing?until=month", due(1_234));
    const words = "1,234 invoices are due. These are the first 1 of them, which are searched.";
    await expect.element(screen.getByText(words)).toBeVisible();
    await screen.unmount();
    const all = await open("/operator/billing?until=month", due(1));
    await expect.element(all.screen.getByRole("row", { name: /Fernworks/ })).toBeVisible();
    expect(all.screen.getByText(/These are the first/).elements()).toEqual([]);
  });

  it("can be looked at and run again after it was refused, and then looks anew", async () => {
    let fails = true;
    const refused = refuse("INTERNAL_ERROR");
    const answer = <Reply,>(reply: Reply) => (fails ? refused() : reply);
    const { screen, service, dialog } = await open("/operator/billing", {
      "GET /v1/operator/billing/due": () => answer({ count: 1, invoices: [aDue] }),
      "POST /v1/operator/billing/run": () => answer({ count: 1, invoices: [] }),
    });
    await expect.element(screen.getByText("The invoices did not load.")).toBeVisible();
    fails = false;
    await screen.getByRole("button", { name: "Try again" }).click();
    await expect.element(screen.getByRole("row", { name: /Fernworks/ })).toBeVisible();
    const looks = () => service.to("GET", /due/).length;
    const before = looks();
    fails = true;
    await screen.getByRole("button", { name: "Bill now" }).click();
    await dialog.getByRole("button", { name: "Bill now" }).click();
    await expect.element(screen.getByText("It was not done. Try again.")).toBeVisible();
    // Some may have been billed.
    await expect.poll(looks).toBeGreaterThan(before);
    fails = false;
    await screen.getByRole("button", { name: "Bill now" }).click();
    await dialog.getByRole("button", { name: "Bill now" }).click();
    await expect.element(screen.getByText("1 invoice was issued")).toBeVisible();
    await expect.element(screen.getByRole("row", { name: /Fernworks/ })).toBeVisible();
    expect(service.to("POST", /run/)).toHaveLength(2);
  });

  it("has nothing to do, or cannot say", async () => {
    const none = await open("/operator/billing", {
      "GET /v1/operator/billing/due": () => ({ count: 0, invoices: [] }),
    });
    await expect.element(none.screen.getByText("Nothing is due", { exact: true })).toBeVisible();
    expect(none.service.to("GET", /due/)[0]?.query.get("until")).toBe(null);
    await page.viewport(390, 844);
    const failed = await open("/operator/billing?until=month", {
      "GET /v1/operator/billing/due": refuse("INTERNAL_ERROR"),
    });
    await expect.element(failed.screen.getByText("The invoices did not load.")).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe("prices", () => {
  const due = { "GET /v1/operator/billing/due": () => ({ count: 0, invoices: [] }) };

  it.each([1440, 390])("are shown, and what was set in place of the settings, at %i pixels", async (width) => {
    await page.viewport(width, 900);
    const { screen } = await open("/operator/billing", due);
    await expect.element(screen.getByText("$0.07, in place of $0.05")).toBeVisible();
    const facts = screen.getByRole("region", { name: "Prices" }).element().textContent;
    for (const fact of ["$206.00", "17", "$50.00", "0, in place of 60", "14"]) expect(facts).toContain(fact);
    expect(nameless()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  });

  it("are changed for a reason, within bounds; an empty field is as the settings say", async () => {
    const { screen, service, dialog } = await open("/operator/billing", {
      ...due,
      "PUT /v1/operator/prices": () => prices,
    });
    await screen.getByRole("button", { name: "Change prices" }).click();
    const field = (name: string) => dialog.getByLabelText(name);
    await expect.element(field("A minute of a device")).toHaveValue("0.07");
    await expect.element(field("A device for a month")).toHaveValue("");
    await expect.element(dialog.getByText("Empty: 206.00")).toBeVisible();
    const submit = dialog.getByRole("button", { name: "Change prices" });
    await submit.click();
    await expect.element(dialog.getByText("Required")).toBeVisible();
    await field("Reason").fill("a new year");
    for (const [name, wrong] of [
      ["A device for a month", "10000.01"],
      ["Minutes are billed at", "0.99"],
      ["Off for a year, in percent", "101"],
      ["Days for which it has them", "1.5"],
    ] as const) {
      await field(name).fill(wrong);
      await submit.click();
      await expect.element(field(name)).toHaveAttribute("aria-invalid", "true");
      await field(name).fill("");
    }
    expect(service.to("PUT", /prices/)).toEqual([]);
    await field("A minute of a device").fill("");
    await field("A device for a month").fill("199.50");
    await dialog.getByLabelText("Also for plans that run").click();
    await submit.click();
    await expect.element(screen.getByText("The prices are changed")).toBeVisible();
    expect(service.to("PUT", /prices/)[0]?.body).toEqual({
      reason: "a new year",
      includes_running: true,
      // What was left as it was may have been changed by somebody else.
      prices: { minute_cents: null, unlimited_monthly_cents: 19_950 },
    });
  });

  it("are offered to plans that run only if one of them costs something else", async () => {
    const { screen, service, dialog } = await open("/operator/billing", {
      ...due,
      "PUT /v1/operator/prices": () => prices,
    });
    await screen.getByRole("button", { name: "Change prices" }).click();
    const running = dialog.getByLabelText("Also for plans that run");
    const field = (name: string) => dialog.getByLabelText(name);
    await field("Reason").fill("a new year");
    await field("Minutes are billed at").fill("20");
    expect(running.elements()).toEqual([]);
    for (const [name, other, same] of [
      ["A minute of a device", "0.08", "0.07"],
      ["A device for a month", "205", ""],
      ["Off for a year, in percent", "16", "17"],
    ] as const) {
      await field(name).fill(other);
      await expect.element(running).toBeVisible();
      if (name === "Off for a year, in percent") await running.click();
      await field(name).fill(same);
      await expect.element(running).not.toBeInTheDocument();
    }
    await dialog.getByRole("button", { name: "Change prices" }).click();
    await expect.element(screen.getByText("The prices are changed")).toBeVisible();
    expect(service.to("PUT", /prices/)[0]?.body).toMatchObject({ includes_running: false });
  });

  it("are as they were set last when they are changed again", async () => {
    let known = prices;
    const { screen, dialog } = await open("/operator/billing", {
      ...due,
      "GET /v1/operator/prices": () => known,
      "PUT /v1/operator/prices": () => (known = { ...prices, set: { ...prices.set, minute_cents: 9 } }),
    });
    await screen.getByRole("button", { name: "Change prices" }).click();
    await dialog.getByLabelText("A minute of a device").fill("0.09");
    await dialog.getByLabelText("Reason").fill("a new year");
    await dialog.getByRole("button", { name: "Change prices" }).click();
    await expect.element(screen.getByText("$0.09, in place of $0.05")).toBeVisible();
    await screen.getByRole("button", { name: "Change prices" }).click();
    await expect.element(dialog.getByLabelText("A minute of a device")).toHaveValue("0.09");
    await expect.element(dialog.getByLabelText("Reason")).toHaveValue("");
  });

  it("did not load, which is said", async () => {
    const { screen } = await open("/operator/billing", {
      ...due,
      "GET /v1/operator/prices": refuse("INTERNAL_ERROR"),
    });
    await expect.element(screen.getByText("The prices did not load.")).toBeVisible();
  });
});

describe("the clock", () => {
  it("is moved for a reason, as far as it goes", async () => {
    const due = { "GET /v1/operator/billing/due": () => ({ count: 0, invoices: [] }) };
    const { screen, service, dialog } = await open("/operator/billing", {
      ...due,
      "POST /v1/operator/clock": (): ServiceClock => ({ now: at, ahead_seconds: 0, is_movable: true }),
    });
    await expect.element(screen.getByText("1 d 12 h")).toBeVisible();
    await screen.getByRole("button", { name: "Move forward" }).click();
    const submit = dialog.getByRole("button", { name: "Move clock" });
    await dialog.getByLabelText("Reason").fill("a demonstration");
    await dialog.getByLabelText("How far").fill("3651");
    await submit.click();
    await expect.element(dialog.getByText("Enter a number from 1 to 3,650.")).toBeVisible();
    await dialog.getByLabelText("How far").fill("7");
    await submit.click();
    await expect.element(screen.getByText(/^It is .* now$/)).toBeVisible();
    expect(service.to("POST", /clock/)[0]?.body).toEqual({ hours: 168, reason: "a demonstration" });
  });

  it("is not moved when that is refused, which is said", async () => {
    const { screen, dialog } = await open("/operator/billing", {
      "GET /v1/operator/billing/due": () => ({ count: 0, invoices: [] }),
      "POST /v1/operator/clock": refuse("CLOCK_NOT_MOVABLE"),
    });
    await screen.getByRole("button", { name: "Move forward" }).click();
    await dialog.getByLabelText("How far").fill("7");
    await dialog.getByLabelText("Reason").fill("a demonstration");
    await dialog.getByRole("button", { name: "Move clock" }).click();
    await expect.element(dialog.getByText(/^It can be moved where/)).toBeVisible();
  });

  it("stays as it is where there is a database of one's own", async () => {
    const { screen } = await open("/operator/billing", {
      "GET /v1/operator/billing/due": () => ({ count: 0, invoices: [] }),
      "GET /v1/operator/clock": (): ServiceClock => ({ now: at, ahead_seconds: 0, is_movable: false }),
    });
    await expect.element(screen.getByText(/It can be moved where/)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Move forward" })).not.toBeInTheDocument();
  });
});
