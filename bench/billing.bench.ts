import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { TestClock } from "@terrarium/clock";
import { TestServer } from "@terrarium/e2e/support/server.ts";
import { Client } from "pg";
import type { Schema } from "../apps/server/src/database/schema.ts";
import { Audit } from "../apps/server/src/features/audit/audit.ts";
import { runBilling } from "../apps/server/src/features/billing/billing.jobs.ts";
import { listBeyond, sumUsed } from "../apps/server/src/features/billing/minutes.store.ts";
import { createDatabase } from "../apps/server/src/platform/db/database.ts";
import { createLog } from "../apps/server/src/platform/log.ts";
import { readSettings } from "../apps/server/src/settings.ts";
import { print } from "./support/figures.ts";
import { plansOf, refuseScans } from "./support/plans.ts";

/**
 * What a billing run costs in which a thousand organizations are billed for a week, each with as many runs of devices, up to a million in all; and what it costs to look
 * when nothing is due, before the week is over and after.
 */

const ORGANIZATIONS = 1_000;
const SIZES = [10, 100, 1_000] as const;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

// Its own jobs would bill what is used at once.
const server = await TestServer.start({ TERRARIUM_PAYG_THRESHOLD_CENTS: "1000000000" });
const url = await readFile(join(server.dataDir, "database-url"), "utf8");
const sql = new Client(url);
await sql.connect();
const db = createDatabase<Schema>(url, { max: 10 });
try {
  // Weeks later than the server's own clock.
  const clock = new TestClock(Date.now() + WEEK_MS);
  const log = createLog("warn", "bench");
  const audit = new Audit({ clock, log });
  const { offer: usual } = readSettings({});
  const threshold = 1_000_000_000;
  const offer = { ...usual, payg_threshold_cents: threshold };
  const deps = { db, clock, audit, log, taxes: { sellerCountry: "FR" }, offer };
  const timed = async () => {
    const from = performance.now();
    await runBilling.run(deps);
    return performance.now() - from;
  };
  const before = new Date(clock.now()).toISOString();
  await sql.query(
    `INSERT INTO organizations (uuid, name, license_type, address, created_at)
      SELECT gen_random_uuid(), 'Customer ' || n, 'metered', '{"country": "US"}', $1 FROM generate_series(1, ${ORGANIZATIONS}) AS n`,
    [before],
  );
  await sql.query(
    `INSERT INTO subscriptions (uuid, organization_uuid, plan, quantity, price, currency, period_began_at, period_ends_at, created_at)
      SELECT gen_random_uuid(), uuid, 'payg', 1, 5, 'USD', $1::timestamptz, $1::timestamptz + interval '7 days', $1
      FROM organizations WHERE name LIKE 'Customer %'`,
    [before],
  );
  await sql.query(
    `INSERT INTO subscription_statuses (subscription_uuid, revision, status, cancel_at_period_end, at)
      SELECT uuid, 1, 'ACTIVE', false, $1 FROM subscriptions`,
    [before],
  );
  for (const each of SIZES) {
    // The next week, after those that were billed.
    const began = new Date(clock.now());
    await sql.query(
      `INSERT INTO runs (instance_uuid, revision, organization_uuid, owner_uuid, counted_for, recipe_name, began_at, ended_at, is_metered, used_ms)
        SELECT gen_random_uuid(), 1, uuid, uuid, uuid, 'Recipe ' || n, at, at + ran * interval '1 second', true, round(1000 * ran)
        FROM organizations, LATERAL (SELECT n, $1::timestamptz + random() * interval '6 days' AS at, 60 + random() * 18000 AS ran
          FROM generate_series(1, $2::int) AS n WHERE organizations.uuid IS NOT NULL) AS run
        WHERE organizations.name LIKE 'Customer %'`,
      [began, each],
    );
    await sql.query("VACUUM ANALYZE runs");
    console.log(`${ORGANIZATIONS} organizations with ${each} runs each: ${ORGANIZATIONS * each}`);
    await clock.advance(WEEK_MS - 1);
    print("before the week is over", `${(await timed()).toFixed(0)} ms`);
    await clock.advance(1);
    const took = await timed();
    const { rows: found } = await sql.query<{ invoices: number; lines: number }>(
      `SELECT count(*)::integer AS invoices, (SELECT count(*)::integer FROM invoice_lines WHERE invoice_uuid IN (SELECT uuid FROM invoices
        WHERE period_began_at = $1)) AS lines FROM invoices WHERE period_began_at = $1`,
      [began],
    );
    print("the run", `${(took / 1e3).toFixed(2)} s, ${(took / ORGANIZATIONS).toFixed(1)} ms an organization`);
    print("invoices, lines", `${found[0]?.invoices}, ${found[0]?.lines}`);
    if (found[0]?.invoices !== ORGANIZATIONS || found[0].lines !== ORGANIZATIONS * each)
      throw new Error("not everything was billed");
    print("once more, when nothing is due", `${(await timed()).toFixed(0)} ms`);
  }
  const { rows: some } = await sql.query<{ uuid: string }>(
    "SELECT organization_uuid AS uuid FROM subscriptions LIMIT 1",
  );
  const now = new Date(clock.now());
  const owed = { organization: some[0]?.uuid ?? "", since: new Date(clock.now() - 1000), until: now, now };
  const queries = {
    "what is owed": (own: typeof db) => sumUsed(own, owed),
    "what comes to the threshold": (own: typeof db) => listBeyond(own, threshold, now),
  };
  for (const { label, tables } of await plansOf(url, queries)) {
    refuseScans(label, tables, "runs");
    console.log(`  plan of ${label}: ${tables.join("; ")}`);
  }
} finally {
  await db.destroy();
  await sql.end();
  await server.stop();
}
