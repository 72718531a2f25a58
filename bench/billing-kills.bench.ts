import { TestClock } from "@terrarium/clock";
import { randomFrom } from "@terrarium/e2e/support/random.ts";
import { newDataDir } from "@terrarium/e2e/support/server.ts";
import { sql } from "kysely";
import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { migrations, type Schema } from "../apps/server/src/database/schema.ts";
import { Audit } from "../apps/server/src/features/audit/audit.ts";
import { byService } from "../apps/server/src/features/audit/by.ts";
import { listAdvancing } from "../apps/server/src/features/billing/advance.ts";
import {
  chargeInvoice,
  lookAtCharge,
  refundPayment,
  runBilling,
} from "../apps/server/src/features/billing/billing.jobs.ts";
import { startSubscription } from "../apps/server/src/features/billing/subscriptions.ts";
import { aCustomer, type Customer, goOnline, measure } from "../apps/server/src/features/billing/testing/customers.ts";
import { moveInstance } from "../apps/server/src/features/instances/move-instance.ts";
import { sandboxProvider } from "../apps/server/src/features/payments/sandbox-provider.ts";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { migrate } from "../apps/server/src/platform/db/migrate.ts";
import { JobWorker } from "../apps/server/src/platform/jobs/worker.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { startPostgres } from "../apps/server/src/platform/postgres/start-postgres.ts";
import { readSettings } from "../apps/server/src/settings.ts";
import { print } from "./support/figures.ts";

/**
 * What is billed or charged twice, and what is lost, when the process that bills is killed with SIGKILL 200 times while it has something
 * to do, each time at a random moment. `node bench/billing-kills.bench.ts SEED` repeats the moments.
 */

const KILLS = 200;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Leases are looked at more often than they lapse, which is after 30 s. */
const LOOK_MS = 11_000;
const LOOKS = 4;
const plans = [...Array.from({ length: 9 }, () => "payg" as const), "monthly", "monthly", "annual"] as const;

function businessAt(url: string, clock = new TestClock()) {
  const db = createDatabase<Schema>(url, { max: 10 });
  const log = createLog("silent", "bench");
  const payments = sandboxProvider({ db, clock });
  return {
    db,
    clock,
    log,
    audit: new Audit({ clock, log }),
    payments,
    taxes: { sellerCountry: "FR" },
    offer: readSettings({}).offer,
  };
}
type Business = ReturnType<typeof businessAt>;

/** In a process of its own: bills what is due at the time it is told, and charges it, also what was left by those that were killed. */
async function bill(url: string): Promise<void> {
  process.send?.("ready");
  const [now] = (await once(process, "message")) as [number];
  const deps = businessAt(url, new TestClock(now));
  const worker = new JobWorker({ ...deps, jobs: [chargeInvoice, lookAtCharge, refundPayment], deps });
  await runBilling.run(deps);
  for (let look = 0; look < LOOKS; look++) {
    await worker.runDue();
    await deps.clock.advance(LOOK_MS);
  }
  await deps.db.destroy();
  process.disconnect();
}

/** Processes that bill, one after the other: the next one is ready when one is killed. */
class Billing {
  readonly #url: string;
  readonly #random: () => number;
  #next;
  #longestMs = 100;

  constructor(url: string, random: () => number) {
    this.#url = url;
    this.#random = random;
    this.#next = this.#spawn();
  }

  /** Returns whether it was killed, rather than done. */
  async run({ clock }: Business, { isKilled = false } = {}): Promise<boolean> {
    const { child, ready, ended } = this.#next;
    await ready;
    this.#next = this.#spawn();
    const from = performance.now();
    child.send(clock.now());
    const kill = isKilled ? setTimeout(() => child.kill("SIGKILL"), this.#random() * this.#longestMs) : undefined;
    const [code, signal] = (await ended) as [number | null, string | null];
    clearTimeout(kill);
    await clock.advance(LOOKS * LOOK_MS);
    if (signal === "SIGKILL") return true;
    if (code !== 0) throw new Error("a process that bills has failed");
    this.#longestMs = performance.now() - from;
    return false;
  }

  stop(): void {
    this.#next.child.kill();
  }

  #spawn() {
    const child = fork(import.meta.filename, [this.#url]);
    return { child, ready: once(child, "message"), ended: once(child, "exit") };
  }
}

async function customersOf({ db, clock, ...deps }: Business): Promise<Customer[]> {
  const customers = [];
  for (const [index, plan] of plans.entries()) {
    const customer = await aCustomer(db, clock, index % 2 === 0 ? 100 : 0);
    await sql`INSERT INTO sandbox_cards (ref, customer, name) SELECT ref, ${`cus_${customer.uuid}`}, 'pm_card_visa'
      FROM cards WHERE organization_uuid = ${customer.uuid}`.execute(db);
    await startSubscription({ db, clock, ...deps }, { organization: customer.uuid }, { plan, quantity: 2 }, byService);
    customers.push(customer);
  }
  return customers;
}

/** What there is to do: plans that are due, and invoices that are not paid. */
async function left(deps: Business): Promise<number> {
  const { rows } = await sql<{ unpaid: number }>`SELECT count(*)::integer AS unpaid FROM invoices WHERE NOT EXISTS (
    SELECT FROM invoice_statuses WHERE invoice_uuid = uuid AND status = 'ACCEPTED')`.execute(deps.db);
  return (await listAdvancing(deps)).length + (rows[0]?.unpaid ?? 0);
}

async function killOften(deps: Business, url: string, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const { db, clock } = deps;
  await migrate(db, migrations);
  const customers = await customersOf(deps);
  const billing = new Billing(url, random);
  const online: string[] = [];
  const stop = (uuid: string) => moveInstance(db, { uuid, event: "stop", now: new Date(clock.now()) });
  let kills = 0;
  let halfway = 0;
  while (kills < KILLS) {
    await clock.advance(Math.round(random() * 3 * DAY_MS));
    await measure(db, clock);
    for (const uuid of online.length > 4 ? online.splice(0, 2) : []) await stop(uuid);
    const customer = customers[Math.floor(random() * customers.length)];
    if (customer) online.push(await goOnline(db, clock, customer));
    const before = await left(deps);
    if ((await billing.run(deps, { isKilled: true })) && before > 0) {
      kills++;
      const after = await left(deps);
      if (after > 0 && after < before) halfway++;
    }
    // Some are killed again and again, but not for weeks.
    if (random() < 0.3) await billing.run(deps);
  }
  await measure(db, clock);
  for (const uuid of online) await stop(uuid);
  // Retries come due, and the last weeks are over.
  for (const ms of [HOUR_MS, 8 * DAY_MS, HOUR_MS, 8 * DAY_MS, HOUR_MS]) {
    await billing.run(deps);
    await clock.advance(ms);
  }
  await billing.run(deps);
  billing.stop();
  print("kills, of them with a part done", `${kills}, ${halfway} (seed ${seed})`);
}

/** Compares what was billed and charged with what was run, by another query than the one that bills. */
async function compare({ db }: Business): Promise<{ all: Record<string, number>; wrong: Record<string, number> }> {
  const all = await sql<Record<string, number>>`SELECT count(*)::integer AS invoices, sum(amount)::integer AS cents,
    (SELECT sum(ceil(used_ms / 60000.0)) FROM runs WHERE is_metered)::integer AS minutes FROM invoices`.execute(db);
  const wrong = await sql<Record<string, number>>`
    WITH each AS (SELECT
      (SELECT coalesce(sum(ceil(used_ms / 60000.0)), 0) FROM runs WHERE is_metered AND organization_uuid = uuid) AS ran,
      (SELECT coalesce(sum(net / 5), 0) FROM invoices WHERE usage_type = 'metered' AND organization_uuid = organizations.uuid)
        + (SELECT coalesce(-sum(minutes), 0) FROM minute_entries WHERE kind = 'use' AND organization_uuid = organizations.uuid) AS billed
      FROM organizations)
    SELECT (SELECT sum(greatest(billed - ran, 0)) FROM each)::integer AS "minutes billed twice",
      (SELECT sum(greatest(ran - billed, 0)) FROM each)::integer AS "minutes lost",
      (SELECT count(*) - count(DISTINCT (subscription_uuid, period_began_at)) FROM invoices)::integer AS "periods billed twice",
      (SELECT max(number) - count(*) FROM invoices)::integer AS "numbers left out",
      (SELECT coalesce(sum(amount), 0) FROM sandbox_charges WHERE outcome = 'accepted')::integer
        - (SELECT coalesce(sum(amount), 0) FROM sandbox_refunds)::integer - (SELECT sum(amount) FROM invoices)::integer AS "cents charged too much",
      (SELECT count(*) FROM invoices WHERE (SELECT count(*) FROM payments WHERE invoice_uuid = invoices.uuid AND outcome = 'accepted') <> 1
        OR (SELECT count(*) FROM invoice_statuses WHERE invoice_uuid = invoices.uuid AND status = 'ACCEPTED') <> 1)::integer
        AS "invoices not paid once"`.execute(db);
  return { all: all.rows[0] ?? {}, wrong: wrong.rows[0] ?? {} };
}

const given = process.argv[2];
if (given?.startsWith("postgres")) await bill(given);
else {
  const dataDir = await newDataDir();
  const postgres = await startPostgres({ dataDir });
  const deps = businessAt(postgres.url);
  try {
    await killOften(deps, postgres.url, given === undefined ? Date.now() % 1e6 : Number(given));
    const { all, wrong } = await compare(deps);
    for (const [name, count] of Object.entries({ ...all, ...wrong })) print(name, String(count));
    if (Object.values(wrong).some((count) => count !== 0)) throw new Error("something was billed twice, or lost");
  } finally {
    await deps.db.destroy();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
