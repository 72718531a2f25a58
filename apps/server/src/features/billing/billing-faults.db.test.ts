import { TestClock } from "@terrarium/clock";
import type { KyselyPlugin } from "kysely";
import { sql } from "kysely";
import { expect, it } from "vitest";
import type { Database } from "../../database/schema.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { Audit } from "../audit/audit.ts";
import { byService } from "../audit/by.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { chargeInvoice, refundPayment, runBilling } from "./billing.jobs.ts";
import { startSubscription } from "./subscriptions.ts";
import { aCustomer, goOnline, measure, seeded } from "./testing/customers.ts";
import { FakePayments } from "./testing/fake-payments.ts";

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
  const deps = { db, clock, audit, log, payments, offer, taxes, threshold };
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
  expect({ distinct, wrong, taken }).toEqual({ distinct: periods, wrong: 0, taken: amount });
});
