import type { BillingRun, Invoice, Offer, OperatedBilling, Plan, ServiceClock } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { createTestApp, testSettings } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { anOperator } from "../../testing/operator.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { byService } from "../audit/by.ts";
import { listAudit } from "../audit/list-audit.ts";
import { repricePlans } from "../billing/billing.jobs.ts";
import { minutePrice } from "../billing/minute-price.ts";
import { billDue } from "../billing/operate-invoices.ts";
import { setPrice } from "../billing/set-price.ts";
import { startSubscription } from "../billing/subscriptions.ts";
import { aCustomer, goOnline, measure } from "../billing/testing/customers.ts";
import { FakePayments } from "../billing/testing/fake-payments.ts";
import { aSubscription, makePayable } from "../billing/testing/plans.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const base = "/v1/operator";

/** An organization that pays by the minute, at five cents. */
async function billed(options: Parameters<typeof createTestApp>[0] = {}) {
  const test = await createTestApp(options);
  const { db, clock } = test;
  const customer = await aCustomer(db, clock, 10);
  await db.updateTable("organizations").set({ license_type: "metered" }).where("uuid", "=", customer.uuid).execute();
  const plan = await aSubscription(db, customer.uuid, { plan: "payg", at: new Date(clock.now()) });
  await db.updateTable("subscriptions").set({ price: 5 }).where("uuid", "=", plan).execute();
  const operator = await anOperator(test);
  const at = `${base}/organizations/${customer.uuid}`;
  return {
    ...test,
    operator,
    customer,
    plan,
    at,
    billing: async () => (await operator.get(`${at}/billing`)).json<OperatedBilling>(),
    invoices: async (query = "") =>
      (await operator.get(`${at}/invoices${query}`)).json<{ results: Invoice[] }>().results,
    /** A device runs for so long. */
    async use(ms: number) {
      await goOnline(db, clock, customer);
      await clock.advance(ms);
      await measure(db, clock);
    },
    lastAudit: async () => (await test.audited()).at(-1),
  };
}

describe("the billing of an organization", () => {
  it("is its plan, its balance, its tax and its invoices", async () => {
    const { billing, use, invoices, db, customer, operator } = await billed();
    await use(30 * MINUTE);
    expect(await billing()).toMatchObject({
      is_debtor: false,
      tax_rate: { jurisdiction: "US", percentage: 0 },
      balance: { minutes: 0, amount: 20 * 5, waiting: 0, currency: "USD" },
      plan: { plan: "payg", is_active: true },
    });
    const paid = await anInvoice(db, customer.uuid, { statuses: ["PENDING", "ACCEPTED"] });
    const note = await anInvoice(db, customer.uuid, { nature: "CREDIT", refunds_uuid: paid });
    await anInvoice(db, await anOrganization(db));
    expect((await invoices()).map(({ uuid }) => uuid)).toEqual([paid]);
    expect((await invoices("?nature=CREDIT")).map(({ uuid }) => uuid)).toEqual([note]);
    const nobody = `${base}/organizations/11111111-1111-4111-8111-111111111111`;
    for (const path of ["billing", "invoices"])
      expect(outcomeOf(await operator.get(`${nobody}/${path}`))).toBe("404 ORGANIZATION_NOT_FOUND");
  });

  it("has more free minutes, for a reason that is recorded", async () => {
    const { operator, at, lastAudit } = await billed();
    const given = await operator.post(`${at}/minutes`, { reason: "an outage", minutes: 50 });
    expect(given.json<OperatedBilling>().balance.minutes).toBe(60);
    expect(await lastAudit()).toMatchObject({
      action: "organization.grant_minutes",
      actor: operator.user.email,
      details: { minutes: 50, reason: "an outage" },
    });
    for (const minutes of [0, 1.5, 10_000_001])
      expect((await operator.post(`${at}/minutes`, { reason: "more", minutes })).statusCode).toBe(400);
    expect((await operator.post(`${at}/minutes`, { minutes: 5 })).statusCode).toBe(400);
  });

  it("has another price from now on: what was used is billed at the one before", async () => {
    const { operator, at, use, invoices, billing, lastAudit, clock, db } = await billed();
    await use(30 * MINUTE);
    const changed = await operator.put(`${at}/price`, { reason: "agreed", price: 3 });
    expect(changed.json<OperatedBilling>().plan?.items[0]?.plan.price).toBe(3);
    expect(await invoices()).toMatchObject([{ amount: 20 * 5 }]);
    expect(await lastAudit()).toMatchObject({
      action: "subscription.set_price",
      details: { plan: "payg", before: 5, price: 3, reason: "agreed" },
    });
    await clock.advance(10 * MINUTE);
    await measure(db, clock);
    expect((await billing()).balance.amount).toBe(10 * 3);
  });

  it("has a plan that the operator cancels, for a reason: by the minute it ends at once, and is billed", async () => {
    const { operator, at, use, invoices, billing, lastAudit, db } = await billed();
    await use(30 * MINUTE);
    const cancel = (reason?: string) => operator.post(`${at}/cancel-plan`, { reason });
    expect((await cancel()).statusCode).toBe(400);
    expect((await cancel("asked for by mail")).json<OperatedBilling>().plan).toBe(null);
    expect([(await billing()).plan, await invoices()]).toMatchObject([null, [{ amount: 20 * 5 }]]);
    expect(await db.selectFrom("instances").select("state").execute()).toEqual([{ state: "STOPPING" }]);
    expect(await lastAudit()).toMatchObject({
      action: "subscription.cancel",
      details: { plan: "payg", reason: "asked for by mail" },
    });
    expect(outcomeOf(await cancel("again"))).toBe("404 SUBSCRIPTION_NOT_FOUND");
  });

  it("has a price only with a plan that has begun, within its bounds", async () => {
    const { operator, at, db, customer, clock } = await billed();
    for (const price of [-1, 1_000_001])
      expect((await operator.put(`${at}/price`, { reason: "typo", price })).statusCode).toBe(400);
    await aSubscription(db, customer.uuid, { status: "INCOMPLETE", at: new Date(clock.now()) });
    expect(outcomeOf(await operator.put(`${at}/price`, { reason: "agreed", price: 3 }))).toBe(
      "404 SUBSCRIPTION_NOT_FOUND",
    );
  });

  it("takes the price of an upfront plan from its next invoice on", async () => {
    const { operator, at, db, customer, clock, invoices } = await billed();
    await aSubscription(db, customer.uuid, { at: new Date(clock.now()) });
    await operator.put(`${at}/price`, { reason: "agreed", price: 10_000 });
    expect(await invoices()).toEqual([]);
    // Signed in only for a day.
    await clock.advance(DAY / 2);
    const until = new Date(clock.now() + 31 * DAY).toISOString();
    const due = (await operator.get(`${base}/billing/due?until=${until}`)).json<BillingRun>();
    expect(due.invoices.map(({ amount }) => amount)).toEqual([20_000]);
  });
});

describe("the tax of an organization", () => {
  it("is what was agreed, on invoices from then on, until its country decides again", async () => {
    const { operator, at, db, customer, billing, lastAudit, clock, use } = await billed();
    const address = { street: "1 Moss Lane", additional_info: "", postcode: "10115", city: "Berlin", country: "DE" };
    await db
      .updateTable("organizations")
      .set({ address: JSON.stringify(address) })
      .where("uuid", "=", customer.uuid)
      .execute();
    const set = async (percentage: unknown) => operator.put(`${at}/tax`, { reason: "agreed", percentage });
    const billNow = async () => {
      await use(30 * MINUTE);
      await db
        .updateTable("subscriptions")
        .set({ period_ends_at: new Date(clock.now()) })
        .execute();
      await operator.post(`${base}/billing/run`);
    };
    expect(await billing()).toMatchObject({ own_tax: null, tax_rate: { percentage: 19 } });
    await billNow();
    expect((await set(5.5)).json()).toMatchObject({
      own_tax: 5.5,
      tax_rate: { display_name: "VAT", jurisdiction: "DE", percentage: 5.5 },
    });
    expect(await lastAudit()).toMatchObject({
      action: "organization.set_tax",
      details: { tax_percentage: 5.5, reason: "agreed" },
    });
    await billNow();
    expect((await set(0)).json()).toMatchObject({ own_tax: 0, tax_rate: { display_name: "Exempt", percentage: 0 } });
    await billNow();
    expect((await set(null)).json()).toMatchObject({ own_tax: null, tax_rate: { percentage: 19 } });
    const rates = await db.selectFrom("invoices").select("tax_rate").orderBy("number").execute();
    expect(rates.map(({ tax_rate }) => tax_rate?.percentage)).toEqual([19, 5.5, 0]);
    for (const wrong of [-1, 100.1, "5"]) expect((await set(wrong)).statusCode).toBe(400);
    expect((await operator.put(`${at}/tax`, { percentage: 5 })).statusCode).toBe(400);
  });
});

describe("prices", () => {
  const settings = {
    minute_cents: 5,
    unlimited_monthly_cents: 20_600,
    annual_discount: 17,
    payg_threshold_cents: 5_000,
    trial_minutes: 60,
    trial_days: 14,
  };
  const none = Object.fromEntries(Object.keys(settings).map((name) => [name, null]));

  it("are those of the settings until the operator sets others, which anybody reads", async () => {
    const { operator, call, lastAudit } = await billed();
    const set = (prices: object) => operator.put(`${base}/prices`, { reason: "a new year", prices });
    const offer = async () => (await call("GET", "/v1/settings")).json<{ offer: Offer }>().offer;
    expect((await operator.get(`${base}/prices`)).json()).toEqual({ currency: "USD", settings, set: none });
    const before = await offer();
    const changed = await set({ minute_cents: 7, trial_days: 0, trial_minutes: 0 });
    expect(changed.json()).toEqual({
      currency: "USD",
      settings,
      set: { ...none, minute_cents: 7, trial_days: 0, trial_minutes: 0 },
    });
    expect(await offer()).toEqual({ ...before, minute_cents: 7, trial: { minutes: 0, days: 0 } });
    expect(await lastAudit()).toMatchObject({
      action: "price.edit",
      actor: operator.user.email,
      details: { minute_cents: 7, trial_days: 0, trial_minutes: 0, reason: "a new year" },
    });
    await set({ minute_cents: null, trial_minutes: 0, annual_discount: 100 });
    expect((await lastAudit())?.details).toEqual({ minute_cents: null, annual_discount: 100, reason: "a new year" });
    expect(await offer()).toEqual({ ...before, annual_discount: 100, trial: { minutes: 0, days: 0 } });
  });

  it.each([
    { minute_cents: -1 },
    { minute_cents: 1.5 },
    { annual_discount: 101 },
    { trial_days: 3651 },
    { payg_threshold_cents: 99 },
  ])("are within bounds: %j", async (prices) => {
    const { operator } = await billed();
    expect((await operator.put(`${base}/prices`, { reason: "typo", prices })).statusCode).toBe(400);
    expect((await operator.put(`${base}/prices`, { prices: { minute_cents: 5 } })).statusCode).toBe(400);
  });

  it("are for plans that start; those that run, at what was asked before, have them only if it is asked", async () => {
    const { operator, db, clock, audit, customer, plan, use, invoices, billing } = await billed();
    const agreed = await anOrganization(db, { license_type: "metered" });
    const other = await aSubscription(db, agreed, { plan: "payg", at: new Date(clock.now()) });
    await db.updateTable("subscriptions").set({ price: 4 }).where("uuid", "=", other).execute();
    const upfront = await aSubscription(db, await anOrganization(db), { at: new Date(clock.now()) });
    await db.updateTable("subscriptions").set({ price: 20_600 }).where("uuid", "=", upfront).execute();
    const deps = { db, clock, audit, taxes: { sellerCountry: "FR" }, offer: testSettings.offer };
    const worker = new JobWorker({ db, clock, log: createLog("silent", "test"), jobs: [repricePlans], deps });
    const set = async (body: object) => {
      await operator.put(`${base}/prices`, { reason: "a new year", ...body });
      await worker.runDue();
      const rows = await db.selectFrom("subscriptions").select(["uuid", "price"]).execute();
      return [plan, other, upfront].map((each) => rows.find(({ uuid }) => uuid === each)?.price);
    };
    await use(30 * MINUTE);
    expect(await set({ prices: { minute_cents: 6, unlimited_monthly_cents: 20_600 } })).toEqual([5, 4, 20_600]);
    expect(await set({ prices: { minute_cents: 5 } })).toEqual([5, 4, 20_600]);
    expect(await invoices()).toEqual([]);
    expect(await set({ prices: { minute_cents: 8, unlimited_monthly_cents: 30_000 }, includes_running: true })).toEqual(
      [8, 4, 30_000],
    );
    // What was used is billed at the price of then, and invoices stay as they are.
    expect(await invoices()).toMatchObject([{ amount: 20 * 5 }]);
    await clock.advance(10 * MINUTE);
    await measure(db, clock);
    expect((await billing()).balance.amount).toBe(10 * 8);
    expect(await invoices()).toMatchObject([{ amount: 20 * 5 }]);
    const records = await listAudit(db, { count: 100 });
    const repriced = records.filter(({ action }) => action === "subscription.set_price");
    expect(repriced.map(({ organization }) => organization)).toContain(customer.uuid);
    expect(repriced).toHaveLength(2);
  });

  it("are agreed on with nobody whose plan or price is another by then, and not once they are changed again", async () => {
    const { operator, db, clock, audit, customer, plan } = await billed();
    const deps = { db, clock, audit, taxes: { sellerCountry: "FR" }, offer: testSettings.offer };
    const worker = new JobWorker({ db, clock, log: createLog("silent", "test"), jobs: [repricePlans], deps });
    const price = async () =>
      (await db.selectFrom("subscriptions").select("price").where("uuid", "=", plan).executeTakeFirst())?.price;
    for (const only of [
      { plan: "annual", was: 5 },
      { plan: "payg", was: 4 },
    ] as const)
      await setPrice({ ...deps, by: byService }, customer.uuid, 9, only);
    expect(await price()).toBe(5);
    const put = (minute_cents: number | null) =>
      operator.put(`${base}/prices`, { reason: "a typo", prices: { minute_cents }, includes_running: true });
    await put(60);
    await put(null);
    await worker.runDue();
    expect(await price()).toBe(5);
    expect((await listAudit(db, { count: 100 })).filter(({ action }) => action === "subscription.set_price")).toEqual(
      [],
    );
  });

  it("decide what a new plan costs, what minutes cost without one, and when minutes are billed", async () => {
    const { operator, db, clock, audit, use, invoices } = await billed();
    const payments = new FakePayments();
    const log = createLog("silent", "test");
    const deps = { db, clock, audit, log, payments, taxes: { sellerCountry: "FR" }, offer: testSettings.offer };
    await operator.put(`${base}/prices`, {
      reason: "a new year",
      prices: { minute_cents: 9, unlimited_monthly_cents: 10_000, annual_discount: 50, payg_threshold_cents: 100 },
    });
    const starts = async (wanted: Plan) => {
      const organization = await anOrganization(db, { license_type: "pending" });
      await makePayable(db, organization);
      const { items } = await startSubscription(deps, { organization }, { plan: wanted, quantity: 1 }, byService);
      return items[0]?.plan.price;
    };
    expect([await starts("payg"), await starts("monthly"), await starts("annual")]).toEqual([9, 10_000, 60_000]);
    expect(await minutePrice(db, await anOrganization(db), testSettings.offer)).toEqual({ price: 9, currency: "USD" });
    await use(29 * MINUTE);
    expect(await billDue({ ...deps, by: byService })).toEqual([]);
    await use(2 * MINUTE);
    expect(await billDue({ ...deps, by: byService })).toHaveLength(1);
    expect(await invoices()).toHaveLength(1);
  });
});

describe("an invoice", () => {
  it("is paid back in part, once, with a credit note and a reason", async () => {
    const { operator, db, customer, invoices, lastAudit } = await billed();
    const uuid = await anInvoice(db, customer.uuid, { minutes: [100], statuses: ["PENDING", "ACCEPTED"] });
    const refund = (body: object) => operator.post(`${base}/invoices/${uuid}/refund`, body);
    expect((await refund({ amount: 200 })).statusCode).toBe(400);
    expect(outcomeOf(await refund({ reason: "an outage", amount: 501 }))).toBe("409 INVOICE_NOT_REFUNDABLE");
    const reply = await refund({ reason: "an outage", amount: 200 });
    expect([reply.statusCode, reply.json()]).toEqual([201, { credit_note: "INV-000002", amount: 200 }]);
    expect(await lastAudit()).toMatchObject({
      action: "invoice.refund",
      details: { amount: 200, reason: "an outage" },
    });
    expect((await invoices())[0]?.ref_transaction?.amount).toBe(200);
    expect(outcomeOf(await refund({ reason: "again" }))).toBe("409 INVOICE_NOT_REFUNDABLE");
  });

  it("is paid in another way, for a reason", async () => {
    const { operator, db, customer, invoices, lastAudit } = await billed();
    const uuid = await anInvoice(db, customer.uuid, { statuses: ["PENDING", "FAILED"] });
    const path = `${base}/invoices/${uuid}/mark-paid`;
    expect((await operator.post(path, { reason: " " })).statusCode).toBe(400);
    expect((await operator.post(path, { reason: "by transfer" })).statusCode).toBe(204);
    expect((await invoices())[0]?.status_history.at(-1)?.status).toBe("ACCEPTED");
    expect(await lastAudit()).toMatchObject({ action: "invoice.mark_paid", details: { reason: "by transfer" } });
    expect(outcomeOf(await operator.post(path, { reason: "twice" }))).toBe("409 INVOICE_NOT_PAYABLE");
  });
});

describe("billing", () => {
  it("is looked at first, now and by a later time, which writes nothing, and then done", async () => {
    const { operator, use, clock, db, invoices, lastAudit, customer } = await billed();
    await use(30 * MINUTE);
    const due = async (query = "") => (await operator.get(`${base}/billing/due${query}`)).json<BillingRun>();
    expect((await due()).count).toBe(0);
    const soon = new Date(clock.now() + 7 * DAY).toISOString();
    const shown = await due(`?until=${soon}`);
    expect(shown).toMatchObject({
      count: 1,
      invoices: [{ invoice_number: null, organization: { uuid: customer.uuid }, amount: 20 * 5, balance_used: 10 }],
    });
    expect([await invoices(), (await sql`SELECT FROM jobs WHERE name LIKE '%invoice%'`.execute(db)).rows]).toEqual([
      [],
      [],
    ]);
    expect(await invoices()).toEqual([]);
    await db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now()) })
      .execute();
    expect((await operator.post(`${base}/billing/run`)).json()).toMatchObject({
      count: 1,
      invoices: [{ invoice_number: "INV-000001", amount: 20 * 5 }],
    });
    expect(await lastAudit()).toMatchObject({ action: "billing.run", details: { invoices: 1 } });
    expect(await invoices()).toHaveLength(1);
  });
});

it("looks a year ahead and no further", async () => {
  const { operator, use, db, clock } = await billed();
  await use(30 * MINUTE);
  const endIn = (ms: number) =>
    db
      .updateTable("subscriptions")
      .set({ period_ends_at: new Date(clock.now() + ms) })
      .execute();
  const due = async () =>
    (await operator.get(`${base}/billing/due?until=9999-01-01T00:00:00Z`)).json<BillingRun>().count;
  await endIn(366 * DAY - MINUTE);
  expect(await due()).toBe(1);
  await endIn(366 * DAY + MINUTE);
  expect(await due()).toBe(0);
});

describe("the clock", () => {
  it("is moved forward where it can be, for a reason", async () => {
    const { operator, clock, lastAudit } = await billed({ hasMovableClock: true });
    const before = clock.now();
    expect((await operator.get(`${base}/clock`)).json<ServiceClock>()).toEqual({
      now: new Date(before).toISOString(),
      ahead_seconds: 0,
      is_movable: true,
    });
    const move = (hours: number) => operator.post(`${base}/clock`, { hours, reason: "a demonstration" });
    expect((await move(36)).json()).toEqual({
      now: new Date(before + 36 * 60 * MINUTE).toISOString(),
      ahead_seconds: 36 * 3600,
      is_movable: true,
    });
    expect(await lastAudit()).toMatchObject({
      action: "clock.move",
      details: { hours: 36, reason: "a demonstration" },
    });
    for (const hours of [0, -1, 87_601]) expect((await move(hours)).statusCode).toBe(400);
  });

  it("stays as it is elsewhere", async () => {
    const { operator } = await billed();
    expect((await operator.get(`${base}/clock`)).json<ServiceClock>().is_movable).toBe(false);
    const moved = await operator.post(`${base}/clock`, { hours: 1, reason: "a demonstration" });
    expect(outcomeOf(moved)).toBe("409 CLOCK_NOT_MOVABLE");
    expect((await operator.get(`${base}/clock`)).json<ServiceClock>().ahead_seconds).toBe(0);
  });
});
