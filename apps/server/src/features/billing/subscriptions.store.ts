import { type Plan, renewalEnd, type SubscriptionState } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { PriceTable, SubscriptionStatusTable, SubscriptionTable } from "./billing.tables.ts";

type Status = Omit<Selectable<SubscriptionStatusTable>, "subscription_uuid" | "revision">;

/** A subscription with its history, the oldest first, and where it stands. */
export interface SubscriptionRow extends Selectable<SubscriptionTable> {
  history: (Omit<Status, "at"> & { at: string })[];
  status: SubscriptionState;
  status_at: Date;
  cancel_at_period_end: boolean;
  /** What a device costs in the next period of an upfront plan, in cents, and when the plan ends unless that is paid. */
  renewal: { price: number; ends_at: Date };
}

/** How the next period was asked for first, also if that was called off. */
const asked = sql<{
  net: number;
  created_at: string;
} | null>`(SELECT json_build_object('net', net, 'created_at', created_at)
  FROM invoices WHERE subscription_uuid = subscriptions.uuid AND period_began_at = subscriptions.period_ends_at
    AND nature = 'SUBSCRIPTION' ORDER BY number LIMIT 1)`;
const history = sql<SubscriptionRow["history"]>`(SELECT json_agg(json_build_object('status', status,
  'cancel_at_period_end', cancel_at_period_end, 'at', at) ORDER BY revision) FROM subscription_statuses
  WHERE subscription_uuid = subscriptions.uuid)`;

const select = (db: Database) =>
  db
    .selectFrom("subscriptions")
    .selectAll()
    .select([history.as("history"), asked.as("asked")]);

function completed({
  asked: next,
  ...row
}: Awaited<ReturnType<ReturnType<typeof select>["executeTakeFirstOrThrow"]>>): SubscriptionRow {
  const { status = "CANCELLED", cancel_at_period_end = false, at = row.created_at } = row.history.at(-1) ?? {};
  // A change of when it ends is no change of where it stands.
  const since = row.history.findLast((_, index) => row.history[index - 1]?.status !== status);
  const renewal = {
    price: next ? next.net / row.quantity : row.price,
    ends_at: renewalEnd(row.period_ends_at, next ? new Date(next.created_at) : undefined),
  };
  return { ...row, status, cancel_at_period_end, status_at: new Date(since?.at ?? at), renewal };
}

export async function findSubscription(db: Database, uuid: string): Promise<SubscriptionRow | undefined> {
  const row = await select(db).where("uuid", "=", uuid).executeTakeFirst();
  return row && completed(row);
}

/** A subscription, with the name of the organization that pays for it. */
export async function findPayer(
  db: Database,
  uuid: string,
): Promise<(SubscriptionRow & { organization: string }) | undefined> {
  const plan = await findSubscription(db, uuid);
  const payer = db
    .selectFrom("organizations")
    .select("name")
    .where("uuid", "=", plan?.organization_uuid ?? null);
  const row = await payer.executeTakeFirst();
  return plan && row && { ...plan, organization: row.name };
}

/** Whether an organization has a plan that has not ended. */
export const hasRunningPlan = async (db: Database, organization: string): Promise<boolean> =>
  (await db
    .selectFrom("subscriptions")
    .select("uuid")
    .where("organization_uuid", "=", organization)
    .where("ended_at", "is", null)
    .executeTakeFirst()) !== undefined;

/** The subscription of an organization that has not ended. */
export async function findRunning(db: Database, organization: string): Promise<SubscriptionRow | undefined> {
  const row = await select(db)
    .where("organization_uuid", "=", organization)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return row && completed(row);
}

/** The subscriptions of an organization, the newest first; only those that have ended or not, if that is asked. */
export async function listSubscriptions(
  db: Database,
  organization: string,
  isActive: boolean | undefined,
): Promise<SubscriptionRow[]> {
  const rows = await select(db)
    .where("organization_uuid", "=", organization)
    .$if(isActive !== undefined, (query) => query.where("ended_at", isActive ? "is" : "is not", null))
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();
  return rows.map(completed);
}

export async function insertSubscription(trx: Database, row: Insertable<SubscriptionTable>): Promise<void> {
  await trx.insertInto("subscriptions").values(row).execute();
}

export async function updateSubscription(
  trx: Database,
  uuid: string,
  fields: Updateable<SubscriptionTable>,
): Promise<void> {
  await trx.updateTable("subscriptions").set(fields).where("uuid", "=", uuid).execute();
}

/** Appends to a subscription's history. */
export async function appendStatus(trx: Database, uuid: string, { status, cancel_at_period_end, at }: Status) {
  await sql`INSERT INTO subscription_statuses (subscription_uuid, revision, status, cancel_at_period_end, at)
    SELECT ${uuid}, coalesce(max(revision), 0) + 1, ${status}, ${cancel_at_period_end}, ${at} FROM subscription_statuses
    WHERE subscription_uuid = ${uuid}`.execute(trx);
}

/** A subscription to look at, and whose it is. */
export interface Due {
  uuid: string;
  organization: string;
}

/**
 * The subscriptions that may have something to do: their period ends, an upfront one is to be renewed, they wait for money, or an invoice is
 * due. `renewals` is until when renewals are due. The oldest period first.
 */
export async function listDue(db: Database, now: Date, renewals: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    SELECT uuid, organization_uuid AS organization FROM subscriptions WHERE ended_at IS NULL AND (
      period_ends_at <= CASE WHEN plan = 'payg' THEN ${now}::timestamptz ELSE ${renewals}::timestamptz END
      OR (SELECT status FROM subscription_statuses WHERE subscription_uuid = uuid ORDER BY revision DESC LIMIT 1) <> 'ACTIVE'
      OR EXISTS (SELECT FROM organizations WHERE organizations.uuid = organization_uuid AND is_debtor)
      OR EXISTS (SELECT FROM invoices WHERE invoices.organization_uuid = subscriptions.organization_uuid
        AND due_at BETWEEN ${now}::timestamptz - interval '7 days' AND ${now}))
    ORDER BY period_ends_at`.execute(db);
  return rows;
}

/** What the operator has set in place of the settings. */
export const findPrices = (db: Database): Promise<Selectable<PriceTable>> =>
  db.selectFrom("prices").selectAll().executeTakeFirstOrThrow();

/** Changes of prices take turns. */
export const lockPrices = (trx: Database): Promise<Selectable<PriceTable>> =>
  trx.selectFrom("prices").selectAll().forUpdate().executeTakeFirstOrThrow();

export async function updatePrices(trx: Database, set: Updateable<PriceTable>): Promise<void> {
  await trx.updateTable("prices").set(set).execute();
}

/** The organizations with a plan that runs at a price. */
export async function listAtPrice(db: Database, plan: Plan, price: number): Promise<string[]> {
  const rows = db.selectFrom("subscriptions").select("organization_uuid").where("ended_at", "is", null);
  const found = await rows.where("plan", "=", plan).where("price", "=", price).execute();
  return found.map(({ organization_uuid }) => organization_uuid);
}
