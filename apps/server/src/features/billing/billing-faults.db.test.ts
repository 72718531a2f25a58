import { TestClock } from "@terrarium/clock";
import type { KyselyPlugin } from "kysely";
import { sql } from "kysely";
import { createHmac, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { Database } from "../../database/schema.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { createTestApp } from "../../testing/app.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { anOrganization } from "../../testing/factories.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { stripeProvider } from "../payments/stripe-provider.ts";
import { fakeStripe } from "../payments/testing/fake-stripe.ts";
import { Audit } from "../audit/audit.ts";
import { byService } from "../audit/by.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { chargeInvoice, confirmPayments, lookAtCharge, refundPayment, runBilling } from "./billing.jobs.ts";
import { startSubscription } from "./subscriptions.ts";
import { aCustomer, goOnline, measure, seeded } from "./testing/customers.ts";
import { FakePayments } from "./testing/fake-payments.ts";
import { makePayable } from "./testing/plans.ts";

/** Leases are looked at more often than they lapse, which is after 30 s. */
const LOOK_MS = 11_000;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const offer = {
  currency: "USD" as const,
  minute_cents: 5,
  unlimited_monthly_cents: 20_600,
  annual_discount: 17,
  payg_threshold_cents: 5_000,
  card_hold_cents: 100,
  trial: { minutes: 60, days: 0 },
};

/** Organizations with plans, whose devices run, and processes that bill them. */
async function business(count: number, { threshold = 1_000_000 } = {}) {
  const { db } = await createTestDatabase({ max: 10 });
  const clock = new TestClock();
  const log = createLog("silent", "test");
  const audit = new Audit({ clock, log });
  const payments = new FakePayments();
  const taxes = { sellerCountry: "FR" };
  const deps = { db, clock, audit, log, payments, offer: { ...offer, payg_threshold_cents: threshold }, taxes };
  const customers = [];
  for (let n = 0; n < count; n++) {
    const customer = await aCustomer(db, clock, n % 2 === 0 ? 100 : 0);
    const plan = n % 4 === 3 ? "monthly" : "payg";
    await startSubscription(deps, { organization: customer.uuid }, { plan, quantity: 2 }, byService);
    customers.push(customer);
  }
  return {
    db,
    clock,
    payments,
    deps,
    customers,
    /** A process of its own, over a connection that may break; it runs until it has nothing to do, or is killed. */
    process: async (own: Database = db) => {
      const ownDeps = { ...deps, db: own };
      const worker = new JobWorker({ db: own, clock, log, jobs: [chargeInvoice, refundPayment], deps: ownDeps });
      await runBilling.run(ownDeps).catch(() => undefined);
      await worker.runDue();
      // What was held by a process that was killed can be taken after its lease.
      for (let look = 0; look < 3; look++) {
        await clock.advance(LOOK_MS);
        await worker.runDue();
      }
    },
    /** Compares the invoices with what was run, measured by another query than the one that bills. */
    async compare() {
      const { rows } = await sql<{ ran: number; billed: number; periods: number; distinct: number }>`
        SELECT
          (SELECT sum(ceil(used_ms / 60000.0)) FROM runs WHERE is_metered)::integer AS ran,
          (SELECT coalesce(sum(net / 5), 0) FROM invoices WHERE usage_type = 'metered')::integer
            - (SELECT coalesce(sum(minutes), 0) FROM minute_entries WHERE kind = 'use')::integer AS billed,
          (SELECT count(*) FROM invoices)::integer AS periods,
          (SELECT count(DISTINCT (subscription_uuid, period_began_at)) FROM invoices)::integer AS distinct`.execute(db);
      const { rows: paid } = await sql<{ amount: number; wrong: number; last: number; count: number }>`
        SELECT coalesce(sum(amount), 0)::integer AS amount,
          count(*) FILTER (WHERE (SELECT count(*) FROM payments WHERE invoice_uuid = invoices.uuid AND outcome = 'accepted') <> 1
            OR (SELECT count(*) FROM invoice_statuses WHERE invoice_uuid = invoices.uuid AND status = 'ACCEPTED') <> 1)::integer AS wrong,
          max(number) AS last, count(*)::integer AS count
        FROM invoices`.execute(db);
      return { ...rows[0]!, ...paid[0]!, taken: payments.taken };
    },
  };
}

/** Fails the query before which the process was killed, and all that it would do after it. */
class Kill implements KyselyPlugin {
  left: number;
  constructor(left: number) {
    this.left = left;
  }
  check(): void {
    if (--this.left < 0) throw new Error("killed");
  }
  transformQuery({ node }: Parameters<KyselyPlugin["transformQuery"]>[0]) {
    this.check();
    return node;
  }
  transformResult = async ({ result }: Parameters<KyselyPlugin["transformResult"]>[0]) => result;
}

it("loses nothing and bills nothing twice when it is killed at any point", async () => {
  const KILLS = 200;
  const random = seeded(7);
  const { db, clock, payments, customers, process, compare } = await business(6);
  const online: string[] = [];
  let killed = 0;
  let atProvider = 0;
  while (killed < KILLS) {
    await clock.advance(Math.round(random() * 2 * DAY));
    await measure(db, clock);
    const done = online.length > 4 ? online.splice(0, 2) : [];
    for (const uuid of done) await moveInstance(db, { uuid, event: "stop", now: new Date(clock.now()) });
    online.push(await goOnline(db, clock, customers[Math.floor(random() * customers.length)]!));
    const kill = new Kill(Math.floor(random() * 160));
    const dies = random() < 0.5 ? (random() < 0.5 ? "before" : "after") : undefined;
    payments.fault = (when) => {
      if (when !== dies) return;
      kill.left = 0;
      atProvider++;
      throw new Error("killed");
    };
    await process(db.withPlugin(kill)).catch(() => undefined);
    if (kill.left < 0 || dies) killed++;
    payments.fault = () => undefined;
    // Some are killed again and again, but not for weeks.
    if (random() < 0.3) await process();
  }
  await measure(db, clock);
  for (const uuid of online) await moveInstance(db, { uuid, event: "stop", now: new Date(clock.now()) });
  // The leases of what was killed lapse, retries come due, and the last weeks are over.
  for (let turn = 0; turn < 3; turn++) {
    await process();
    await clock.advance(8 * DAY);
    await process();
    await clock.advance(HOUR);
    await process();
  }
  const { ran, billed, periods, distinct, amount, wrong, last, count, taken } = await compare();
  console.log(
    `${killed} kills, ${atProvider} of them while the provider was asked: ${count} invoices, ${Math.max(0, billed - ran)} minutes double, ` +
      `${Math.max(0, ran - billed)} lost, ${taken - amount} cents too much, ${wrong} invoices without exactly one payment`,
  );
  expect({ billed, distinct, wrong, last, taken }).toEqual({
    billed: ran,
    distinct: periods,
    wrong: 0,
    last: count,
    taken: amount,
  });
  expect(count).toBeGreaterThan(50);
}, 300_000);

it("bills each period once when several processes do so at once, again and late", async () => {
  const { db, clock, customers, process, compare } = await business(8);
  for (const customer of customers) await goOnline(db, clock, customer);
  await clock.advance(22 * DAY);
  await measure(db, clock);
  await Promise.all([process(), process(), process()]);
  await process();
  const { rows } = await sql<{
    weeks: number;
  }>`SELECT count(*)::integer AS weeks FROM invoices WHERE usage_type = 'metered'`.execute(db);
  expect(rows[0]?.weeks).toBe(6 * 3);
  const { periods, distinct, wrong, amount, taken } = await compare();
  console.log(
    `Three processes at once, three weeks late, and once more: ${periods} invoices, ${periods - distinct} double, ` +
      `${6 * 3 - (rows[0]?.weeks ?? 0)} weeks lost, ${taken - amount} cents too much`,
  );
  expect({ distinct, wrong, taken }).toEqual({ distinct: periods, wrong: 0, taken: amount });
});

it("asks three times when nothing is due, and a few times for an organization that is billed", async () => {
  const { db, clock, deps, customers } = await business(8);
  const counter = new Kill(Infinity);
  let asked = 0;
  counter.check = () => void asked++;
  const run = async () => {
    asked = 0;
    await runBilling.run({ ...deps, db: db.withPlugin(counter) });
    return asked;
  };
  for (const customer of customers) await goOnline(db, clock, customer);
  await clock.advance(2 * HOUR);
  await measure(db, clock);
  const before = await run();
  await clock.advance(7 * DAY);
  await measure(db, clock);
  const billed = (await run()) - 3;
  console.log(`${before} statements when nothing is due, ${billed / 6} for each of 6 organizations that are billed`);
  expect(before).toBe(3);
  expect(billed / 6).toBeLessThanOrEqual(13);
});

/** An organization that Stripe charges, and what Stripe tells of it. */
async function atStripe() {
  const stripe = await fakeStripe();
  const payments = stripeProvider(stripe.settings);
  const { db, clock, audit, app, audited } = await createTestApp({ stripe: stripe.settings, payments });
  const log = createLog("silent", "test");
  const deps = { db, clock, audit, log, payments, taxes: { sellerCountry: "FR" } };
  const worker = new JobWorker({ db, clock, log, jobs: [chargeInvoice, lookAtCharge, refundPayment], deps });
  const organization = await anOrganization(db);
  await makePayable(db, organization);
  const customer = { organization_uuid: organization, provider: "stripe", ref: "cus_1" };
  await db.insertInto("customers").values(customer).execute();
  const named = (prefix: string) => [...stripe.rows.values()].filter(({ id }) => id.startsWith(prefix));
  const bill = async (refusal: typeof stripe.control.refusal) => {
    stripe.control.refusal = refusal;
    const uuid = await anInvoice(db, organization);
    await chargeInvoice.handle(deps, { invoice: uuid }, AbortSignal.timeout(10_000));
    const payment = db.selectFrom("payments").select("ref").where("invoice_uuid", "=", uuid);
    return { uuid, ref: (await payment.executeTakeFirstOrThrow()).ref ?? "" };
  };
  /** Stripe signs each attempt to tell anew. */
  const tell = async (
    type: string,
    ref: string,
    { id = `evt_${randomUUID()}`, ago = 0, secret = "whsec_test", metadata = {} } = {},
  ) => {
    const payload = JSON.stringify({ id, type: `payment_intent.${type}`, data: { object: { id: ref, metadata } } });
    const time = Math.floor((clock.now() - ago) / 1000);
    const v1 = createHmac("sha256", secret).update(`${time}.${payload}`).digest("hex");
    const headers = { "content-type": "application/json", "stripe-signature": `t=${time},v1=${v1}` };
    const url = "/cloud/v1/billing/stripe/events";
    return (await app.http.inject({ method: "POST", url, headers, payload })).statusCode;
  };
  const history = async (invoice: string) => {
    const rows = db.selectFrom("invoice_statuses").select("status").where("invoice_uuid", "=", invoice);
    return (await rows.orderBy("revision").execute()).map(({ status }) => status).join(" ");
  };
  const charged = () => named("pi_");
  return { stripe, db, clock, deps, worker, organization, named, charged, bill, tell, history, audited };
}

it("does once what the payment provider tells often, late and in any order, and never charges for it", async () => {
  const { stripe, clock, deps, worker, charged, bill, tell: say, history } = await atStripe();
  let told = 0;
  const tell = (...what: Parameters<typeof say>) => {
    told++;
    return say(...what);
  };
  const refused = await bill({ code: "card_declined", message: "Your card was declined." });
  const asked = await bill({ code: "authentication_required", message: "Authenticate" });
  // From here on a charge would be paid.
  stripe.control.refusal = undefined;
  expect(charged()).toHaveLength(2);
  for (const type of ["payment_failed", "created", "canceled"])
    for (let n = 0; n < 10; n++)
      expect(await tell(type, refused.ref, n % 2 === 0 ? { id: `evt_${type}` } : {})).toBe(204);
  await worker.runDue();
  Object.assign(stripe.rows.get(asked.ref) ?? {}, { status: "succeeded", last_payment_error: null });
  const forged = [
    await tell("succeeded", asked.ref, { secret: "whsec_other" }),
    await tell("succeeded", asked.ref, { ago: 301_000 }),
  ];
  await worker.runDue();
  expect(await history(asked.uuid)).toBe("PENDING FAILED");
  // The last comes first, a day late.
  await clock.advance(DAY);
  for (const type of ["succeeded", "requires_action", "succeeded"])
    for (let n = 0; n < 10; n++) expect(await tell(type, asked.ref, { id: `evt_${type}_${n % 5}` })).toBe(204);
  await Promise.all([worker.runDue(), confirmPayments.run(deps)]);
  console.log(
    `${told} messages of the payment provider: ${charged().length - 2} charges more, ${forged.filter((code) => code !== 400).length} forged ` +
      `ones taken, invoices ${await history(refused.uuid)} and ${await history(asked.uuid)}`,
  );
  expect(forged).toEqual([400, 400]);
  expect(charged()).toHaveLength(2);
  expect([await history(refused.uuid), await history(asked.uuid)]).toEqual([
    "PENDING FAILED",
    "PENDING FAILED ACCEPTED",
  ]);
});

it.each([
  ["pays back what was made after it was looked for, and nobody wants any more", "VOID", "PENDING VOID", 1],
  ["takes what was made after it was looked for, and is still to be paid", "FAILED", "PENDING FAILED ACCEPTED", 0],
] as const)("%s", async (_, status, becomes, paidBack) => {
  const { stripe, db, worker, organization, named, tell, history, audited, clock } = await atStripe();
  const invoice = await anInvoice(db, organization, { statuses: ["PENDING", status] });
  const key = randomUUID();
  const none = { uuid: key, invoice_uuid: invoice, card_ref: "pm_1", ref: `none_${key}`, outcome: "refused" as const };
  const created_at = new Date(clock.now());
  await db
    .insertInto("payments")
    .values({ ...none, card_uuid: null, amount: 300, created_at })
    .execute();
  const late = { customer: "cus_1", status: "succeeded", amount: 300, metadata: { key } };
  stripe.add({ id: "pi_late", ...late });
  for (let n = 0; n < 5; n++) {
    // Somebody else's charges have no key, or another one.
    for (const metadata of [{}, { key: "7" }, { key: randomUUID() }])
      expect(await tell("succeeded", "pi_late", { metadata })).toBe(204);
    await worker.runDue();
  }
  expect(await history(invoice)).toBe(`PENDING ${status}`);
  for (let n = 0; n < 5; n++) {
    expect(await tell("succeeded", "pi_late", { metadata: { key } })).toBe(204);
    await worker.runDue();
  }
  const action = paidBack === 1 ? "invoice.refund" : "invoice.pay";
  expect([await history(invoice), named("re_").length]).toEqual([becomes, paidBack]);
  // One more under the same key is for nothing in any case.
  stripe.add({ id: "pi_twice", ...late });
  for (let n = 0; n < 5; n++) {
    await tell("succeeded", "pi_twice", { metadata: { key } });
    await worker.runDue();
  }
  expect(named("re_").map((refund) => refund["payment_intent"])).toEqual(
    [paidBack === 1 ? ["pi_late"] : [], "pi_twice"].flat(),
  );
  expect((await audited()).map((record) => [record.action, record.subject])).toEqual([
    [action, `invoice ${invoice}`],
    ["invoice.refund", `invoice ${invoice}`],
  ]);
});

it("charges nothing for a payment that was refused while it was to be looked at", async () => {
  const { db, payments, deps, customers } = await business(1);
  payments.answer = () => "requires_action";
  for (let n = 0; n < 2; n++)
    await chargeInvoice.handle(deps, { invoice: await anInvoice(db, customers[0]!.uuid) }, AbortSignal.timeout(10_000));
  for (const { outcome } of payments.charges.values()) payments.confirm(outcome.ref, "refused");
  payments.answer = () => "accepted";
  const find = payments.findCharge.bind(payments);
  payments.findCharge = async (ref) => {
    payments.findCharge = find;
    // Another process is faster.
    await confirmPayments.run(deps);
    return find(ref);
  };
  await deps.clock.advance(4_000);
  await confirmPayments.run(deps);
  expect([...payments.charges.values()].map(({ outcome }) => outcome.kind)).toEqual(["refused", "refused"]);
});
