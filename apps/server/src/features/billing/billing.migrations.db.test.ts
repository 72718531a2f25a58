import type { SubscriptionState } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type Database, migrations } from "../../database/schema.ts";
import { migrate } from "../../platform/db/migrate.ts";
import { createTestDatabase } from "../../testing/database.ts";

async function databaseBefore(migration: string) {
  const { db } = await createTestDatabase({ empty: true });
  await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name < migration)));
  return db;
}

const ACTIVE_FIRST: readonly SubscriptionState[] = ["ACTIVE", "OVERDUE", "SUSPENDED"];

/** An organization as it was, with plans that stood so, one after the other. */
async function anOldOrganization(db: Database, isActive: boolean, ...plans: SubscriptionState[][]): Promise<string> {
  const { rows } = await sql<{ uuid: string }>`
    INSERT INTO organizations (uuid, name, created_at, license_is_active) VALUES (gen_random_uuid(), 'Moss', now(), ${isActive})
    RETURNING uuid`.execute(db);
  const organization = rows[0]!.uuid;
  for (const [month, statuses] of plans.entries()) {
    const uuid = randomUUID();
    const at = new Date(Date.UTC(2026, month));
    const ended = statuses.at(-1) === "CANCELLED" ? at : null;
    await sql`INSERT INTO subscriptions (uuid, organization_uuid, plan, quantity, price, currency, period_began_at, period_ends_at, created_at, ended_at)
      VALUES (${uuid}, ${organization}, 'monthly', 1, 100, 'USD', ${at}, ${new Date(Date.UTC(2026, month + 1))}, ${at}, ${ended})`.execute(
      db,
    );
    for (const [index, status] of statuses.entries())
      await sql`INSERT INTO subscription_statuses VALUES (${uuid}, ${index + 1}, ${status}, false, ${at})`.execute(db);
  }
  return organization;
}

it("tells what the operator has taken away from what is not paid, where one column said both", async () => {
  const db = await databaseBefore("0109");
  const ended: SubscriptionState[] = [...ACTIVE_FIRST, "CANCELLED"];
  const cases: [string, { license_is_active: boolean; is_unpaid: boolean }][] = [];
  const expects = async (
    license_is_active: boolean,
    is_unpaid: boolean,
    before: boolean,
    ...plans: SubscriptionState[][]
  ) => cases.push([await anOldOrganization(db, before, ...plans), { license_is_active, is_unpaid }]);
  // Not paid: suspended now, or ended so.
  await expects(true, true, false, [...ACTIVE_FIRST]);
  await expects(true, true, false, ended);
  await expects(true, true, false, ["ACTIVE", "CANCELLED"], ended);
  // Tries that were never paid change nothing.
  await expects(true, true, false, ended, ["INCOMPLETE", "CANCELLED"]);
  // Taken away: without a plan, with one that is or was paid, or that came after one that was not.
  await expects(false, false, false);
  await expects(false, false, false, ["ACTIVE"]);
  await expects(false, false, false, ["ACTIVE", "OVERDUE"]);
  await expects(false, false, false, ["ACTIVE", "CANCELLED"]);
  await expects(false, false, false, [...ACTIVE_FIRST, "ACTIVE", "CANCELLED"]);
  await expects(false, false, false, ended, ["ACTIVE"]);
  // Whoever may start devices still may.
  await expects(true, false, true, ended);
  await expects(true, false, true);
  await migrate(db, migrations);
  const rows = await db.selectFrom("organizations").select(["uuid", "license_is_active", "is_unpaid"]).execute();
  for (const [organization, becomes] of cases)
    expect.soft(rows.find(({ uuid }) => uuid === organization)).toEqual({ uuid: organization, ...becomes });
});

it("what was written off is no payment any more", async () => {
  const db = await databaseBefore("0117");
  const WRITTEN_OFF = "It is less than can be charged, and was written off.";
  const anInvoice = async (number: number, status: string, reason: string, refunds: string | null = null) => {
    const uuid = randomUUID();
    await sql`INSERT INTO invoices (uuid, organization_uuid, number, nature, refunds_uuid, usage_type, period_began_at, period_ended_at, currency,
        net, tax, amount, balance_used, bill_to, created_at, due_at)
      VALUES (${uuid}, ${randomUUID()}, ${number}, 'SUBSCRIPTION', ${refunds}, 'licensed', now(), now(), 'USD', 20, 0, 20, 0, '{}', now(), now())`.execute(
      db,
    );
    await sql`INSERT INTO invoice_statuses (invoice_uuid, revision, status, at) VALUES (${uuid}, 1, 'PENDING', now())`.execute(
      db,
    );
    await sql`INSERT INTO invoice_statuses (invoice_uuid, revision, status, reason, at) VALUES (${uuid}, 2, ${status}, ${reason}, now())`.execute(
      db,
    );
    return uuid;
  };
  const paidBack = await anInvoice(1, "ACCEPTED", WRITTEN_OFF);
  await anInvoice(2, "ACCEPTED", "", paidBack);
  await anInvoice(3, "ACCEPTED", WRITTEN_OFF);
  await anInvoice(4, "ACCEPTED", "by transfer");
  await anInvoice(5, "VOID", WRITTEN_OFF);
  await migrate(db, migrations);
  const { rows } = await sql<{ number: number; last: string }>`
    SELECT number, (SELECT string_agg(status, ' ' ORDER BY revision) FROM invoice_statuses WHERE invoice_uuid = uuid) AS last
    FROM invoices ORDER BY number`.execute(db);
  expect(rows.map(({ last }) => last)).toEqual([
    "PENDING ACCEPTED",
    "PENDING ACCEPTED",
    "PENDING ACCEPTED VOID",
    "PENDING ACCEPTED",
    "PENDING VOID",
  ]);
});
