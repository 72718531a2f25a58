import { type InstanceState, limits } from "@terrarium/contract";
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { BudgetTable } from "./budgets.tables.ts";

export { announceStops, listAnnounced } from "../instances/announce-stops.store.ts";
export { findManagers } from "../organizations/organizations.store.ts";

export interface BudgetRow extends Selectable<BudgetTable> {
  /** Of the organization, the group or the person. */
  name: string;
  /** The person's; null for others. */
  email: string | null;
}

const GRACE = sql.lit(`${limits.stopNoticeMinutes} minutes`);

/** Each person of an organization with each group that they are in and all above these, as they are now. Follows WITH RECURSIVE. */
const member = (organization: string) => sql`member AS (
  SELECT user_uuid, group_uuid FROM group_users JOIN groups ON groups.uuid = group_uuid
  WHERE groups.organization_uuid = ${organization}
  UNION
  SELECT user_uuid, parent_uuid FROM member JOIN groups ON groups.uuid = group_uuid WHERE parent_uuid IS NOT NULL
)`;

/** Whether a budget is for what counts for a person. */
const concerns = (person: RawBuilder<unknown>) => sql`(budgets.group_uuid IS NULL AND budgets.user_uuid IS NULL
  OR budgets.user_uuid = ${person}
  OR EXISTS (SELECT FROM member WHERE member.group_uuid = budgets.group_uuid AND member.user_uuid = ${person}))`;

/** The budgets of an organization: its own first, then those of groups and of people. */
export async function listBudgets(db: Database, organization: string): Promise<BudgetRow[]> {
  const { rows } = await sql<BudgetRow>`
    SELECT budgets.*, coalesce(groups.name, nullif(trim(first_name || ' ' || last_name), ''), users.email, organizations.name) AS name,
      users.email
    FROM budgets JOIN organizations ON organizations.uuid = budgets.organization_uuid
      LEFT JOIN groups ON groups.uuid = group_uuid LEFT JOIN users ON users.uuid = user_uuid
    WHERE budgets.organization_uuid = ${organization}
    ORDER BY user_uuid IS NOT NULL, group_uuid IS NOT NULL, lower(coalesce(groups.name, users.email)), budgets.uuid`.execute(
    db,
  );
  return rows;
}

export interface Window {
  organization: string;
  since: Date;
  /** Not included. */
  until: Date;
  now: Date;
}

export interface BudgetUse {
  /** Null for all of the organization. */
  uuid: string | null;
  /** All that devices were online, each begun minute of a run; and those of them that are metered. */
  minutes: number;
  metered: number;
}

/**
 * What was used in a period of each budget, and of the whole organization. How long a run took is what its gateway has measured, as for
 * bills; but no more of it than lies in the period.
 */
export async function sumUse(db: Database, { organization, since, until, now }: Window): Promise<BudgetUse[]> {
  const { rows } = await sql<BudgetUse>`
    WITH RECURSIVE ${member(organization)}, part AS MATERIALIZED (
      SELECT counted_for, sum(minutes) AS minutes, coalesce(sum(minutes) FILTER (WHERE is_metered), 0) AS metered
      FROM (
        SELECT counted_for, is_metered, ceil(least(
            coalesce(runs.used_ms, greatest(0, ran_ms - ran_from_ms + since_measured(measured_at, ${now}))),
            1000 * greatest(0, extract(epoch FROM least(runs.ended_at, ${until}::timestamptz, ${now}::timestamptz) - greatest(runs.began_at, ${since}::timestamptz)))
          ) / 60000.0) AS minutes
        FROM runs LEFT JOIN instances ON runs.ended_at = 'infinity' AND instances.uuid = runs.instance_uuid
        WHERE runs.organization_uuid = ${organization} AND runs.ended_at > ${since} AND runs.began_at < least(${until}::timestamptz, ${now}::timestamptz)
      ) AS run GROUP BY counted_for
    )
    SELECT budgets.uuid, coalesce(sum(minutes), 0)::integer AS minutes, coalesce(sum(metered), 0)::integer AS metered
    FROM budgets LEFT JOIN part ON ${concerns(sql`part.counted_for`)}
    WHERE budgets.organization_uuid = ${organization} GROUP BY budgets.uuid
    UNION ALL
    SELECT NULL, coalesce(sum(minutes), 0)::integer, coalesce(sum(metered), 0)::integer FROM part`.execute(db);
  return rows;
}

/** Whether devices that count for somebody may no longer start, as a budget is used up. Without a person, whether none may. */
export async function isUsedUpFor(db: Database, organization: string, person: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    WITH RECURSIVE ${member(organization)}
    SELECT FROM budgets WHERE organization_uuid = ${organization} AND stops_at IS NOT NULL
      AND ${concerns(sql`${person ?? null}::uuid`)} LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The organizations whose budgets have to be looked at: something ran since, or devices are to stop. */
export async function listDue(db: Database): Promise<string[]> {
  const { rows } = await sql<{ organization_uuid: string }>`
    SELECT DISTINCT organization_uuid FROM budgets WHERE stops_at IS NOT NULL OR looked_at IS NULL
      -- Whoever ends a run may write it a little later.
      OR EXISTS (SELECT FROM runs WHERE runs.organization_uuid = budgets.organization_uuid
        AND runs.ended_at > looked_at - interval '5 minutes')
    UNION
    SELECT organization_uuid FROM instances WHERE budget_stops_at IS NOT NULL AND ended_at IS NULL`.execute(db);
  return rows.map(({ organization_uuid }) => organization_uuid);
}

/**
 * When each device of an organization that can be stopped is to stop for a budget. What was announced stays, but for a budget that was
 * extended; whoever comes to a budget that is used up already has the same notice.
 */
export async function listStops(
  db: Database,
  organization: string,
  states: readonly InstanceState[],
  now: Date,
): Promise<{ uuid: string; stops_at: Date | null }[]> {
  const { rows } = await sql<{ uuid: string; stops_at: Date | null }>`
    WITH RECURSIVE ${member(organization)}, wanted AS (
      SELECT instances.uuid, budget_stops_at, (
        SELECT min(budgets.stops_at) FROM budgets
        WHERE budgets.organization_uuid = ${organization} AND ${concerns(sql`coalesce(allocated_to, owner_uuid)`)}
      ) AS stops_at
      FROM instances WHERE organization_uuid = ${organization} AND state = ANY(${states}::text[])
    )
    SELECT uuid, CASE WHEN stops_at < ${now}::timestamptz + interval ${GRACE}
      THEN coalesce(budget_stops_at, ${now}::timestamptz + interval ${GRACE}) ELSE stops_at END AS stops_at
    FROM wanted ORDER BY uuid`.execute(db);
  return rows;
}

export const insertBudget = (db: Database, row: Insertable<BudgetTable>) =>
  db.insertInto("budgets").values(row).execute();

export const updateBudget = (db: Database, uuid: string, fields: Updateable<BudgetTable>) =>
  db.updateTable("budgets").set(fields).where("uuid", "=", uuid).execute();

export const deleteBudget = (db: Database, uuid: string) => db.deleteFrom("budgets").where("uuid", "=", uuid).execute();

/** Records that managers are notified of thresholds; returns those that are new. */
export async function insertNotices(
  db: Database,
  { budget, month, at }: { budget: string; month: Date; at: Date },
  thresholds: readonly number[],
): Promise<number[]> {
  if (thresholds.length === 0) return [];
  const rows = await db
    .insertInto("budget_notices")
    .values(thresholds.map((threshold) => ({ budget_uuid: budget, month, threshold, at })))
    .onConflict((conflict) => conflict.doNothing())
    .returning("threshold")
    .execute();
  return rows.map(({ threshold }) => threshold);
}

/** Forgets notices of a month beyond a threshold. */
export const deleteNotices = (db: Database, budget: string, month: Date, beyond: number) =>
  db
    .deleteFrom("budget_notices")
    .where("budget_uuid", "=", budget)
    .where("month", "=", month)
    .where("threshold", ">", beyond)
    .execute();

/** Whether an organization has a group, or a person. */
export const isOwn = async (db: Database, table: "groups" | "users", uuid: string, organization: string) =>
  (await db
    .selectFrom(table)
    .select("uuid")
    .where("uuid", "=", uuid)
    .where("organization_uuid", "=", organization)
    .executeTakeFirst()) !== undefined;
