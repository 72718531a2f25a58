import type { InstanceState } from "@terrarium/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { waits } from "../instances/waits.store.ts";
import type { Due } from "./subscriptions.store.ts";

export { announceUncovered } from "../instances/announce-stops.store.ts";

/** Runs of an organization whose minutes are owed, from what is settled until a time; `now` is when they are read. */
export interface Owed {
  organization: string;
  since: Date;
  until: Date;
  now: Date;
}

/**
 * The metered runs of a period, each with its minutes until its end and those of them that were not billed before. A minute that has begun
 * counts. How long a run took is what its gateway has measured; but until a time it cannot have more than have passed by then.
 */
const owedRuns = ({
  organization,
  since,
  until,
  now,
}: { [Part in keyof Owed]: Owed[Part] | RawBuilder<unknown> }) => sql`
  SELECT *, greatest(0, until_then - billed_minutes) AS minutes FROM (
    SELECT runs.instance_uuid, runs.revision, runs.recipe_name, runs.began_at, runs.ended_at, runs.billed_minutes, runs.billed_until,
      ceil(least(
        coalesce(runs.used_ms, greatest(0, ran_ms - ran_from_ms + since_measured(measured_at, ${now}))) / 60000.0,
        CASE WHEN runs.ended_at > ${until} THEN extract(epoch FROM ${until}::timestamptz - runs.began_at) / 60 END
      ))::integer AS until_then
    FROM runs LEFT JOIN instances ON runs.ended_at = 'infinity' AND instances.uuid = runs.instance_uuid
    WHERE runs.organization_uuid = ${organization} AND is_metered AND runs.ended_at > ${since} AND runs.began_at < ${until}
  ) AS run`;

/** Minutes that are owed, and free ones that were granted and not settled as used, which is never less than none. */
export async function sumUsed(db: Database, owed: Owed): Promise<{ minutes: number; balance: number }> {
  const { rows } = await sql<{ minutes: number; balance: number }>`
    SELECT (SELECT coalesce(sum(minutes), 0)::integer FROM (${owedRuns(owed)}) AS owed) AS minutes,
      (SELECT coalesce(sum(minutes), 0)::integer FROM minute_entries WHERE organization_uuid = ${owed.organization}) AS balance`.execute(
    db,
  );
  return rows[0] ?? { minutes: 0, balance: 0 };
}

/** Pay-as-you-go subscriptions whose week goes on, and that have used as much as is billed before it is over. Cents. */
export async function listBeyond(db: Database, threshold: number, now: Date): Promise<Due[]> {
  const [organization, since] = [sql`subscriptions.organization_uuid`, sql`coalesce(minutes_settled_at, '-infinity')`];
  const { rows } = await sql<Due>`
    SELECT subscriptions.uuid, organizations.uuid AS organization
    FROM subscriptions JOIN organizations ON organizations.uuid = organization_uuid, LATERAL (
      SELECT sum(minutes) - (SELECT coalesce(sum(minutes), 0) FROM minute_entries WHERE organization_uuid = organizations.uuid) AS minutes
      FROM (${owedRuns({ organization, since, until: now, now })}) AS owed) AS due
    WHERE plan = 'payg' AND ended_at IS NULL AND period_ends_at > ${now} AND due.minutes > 0 AND due.minutes * price >= ${threshold}`.execute(
    db,
  );
  return rows;
}

/** Runs that go on do not end from here to the end of the transaction. */
export async function lockRuns(trx: Database, organization: string): Promise<void> {
  await sql`SELECT FROM runs WHERE organization_uuid = ${organization} AND is_metered AND ended_at = 'infinity'
    ORDER BY instance_uuid, revision FOR UPDATE`.execute(trx);
}

/** An invoice whose lines are to be written: the cents of a minute, and the minutes that were free. */
export interface LinesOf {
  invoice: string;
  price: number;
  free: number;
}

/** A line for each run that has minutes, and a last one that takes away what was free. */
const insertLines = ({ invoice, price, free }: LinesOf, { since, until }: Owed) => sql`, lines AS (
    SELECT row_number() OVER (ORDER BY run.began_at, instance_uuid, revision) AS position, coalesce(recipe_name, '') AS description,
      since, least(ended_at, ${until}, since + minutes * interval '1 minute') AS until, minutes
    FROM (SELECT *, greatest(began_at, coalesce(billed_until, began_at)) AS since FROM owed WHERE minutes > 0) AS run
  )
  INSERT INTO invoice_lines (invoice_uuid, position, description, began_at, ended_at, quantity, price, amount)
    SELECT ${invoice}::uuid, position, description, since, until, minutes, ${price}::integer, minutes * ${price}::integer FROM lines
    UNION ALL SELECT ${invoice}::uuid, max(position) + 1, 'Free minutes', greatest(${since}::timestamptz, min(since)), ${until},
      ${-free}::integer, ${price}::integer, ${-free * price}::integer FROM lines HAVING ${free}::integer > 0`;

/**
 * What was read as owed is settled: runs that go on remember it, those whose devices are deleted end here, and what is to be paid is on an
 * invoice. One statement, so that it is of one moment.
 */
export async function closePeriod(trx: Database, owed: Owed, lines: LinesOf | undefined): Promise<void> {
  const { organization, since, until } = owed;
  await sql`WITH owed AS MATERIALIZED (${owedRuns(owed)}),
    closed AS (
      UPDATE runs SET billed_minutes = greatest(runs.billed_minutes, owed.until_then), billed_until = ${until} FROM owed
      WHERE runs.organization_uuid = ${organization} AND runs.ended_at > ${until} AND runs.instance_uuid = owed.instance_uuid
        AND runs.revision = owed.revision
    ), gone AS (
      DELETE FROM runs WHERE organization_uuid = ${organization} AND is_metered AND ended_at > ${since} AND ended_at <= ${until}
        AND NOT EXISTS (SELECT FROM instances WHERE uuid = instance_uuid)
    )${lines ? insertLines(lines, owed) : sql` SELECT`}`.execute(trx);
}

/** What goes on is paid in advance from now on. */
export async function coverRuns(trx: Database, organization: string): Promise<void> {
  await sql`UPDATE runs SET is_metered = false WHERE organization_uuid = ${organization} AND is_metered AND ended_at = 'infinity'`.execute(
    trx,
  );
}

/** What goes on without being metered is paid by the minute from now on. */
export async function meterRuns(trx: Database, organization: string, now: Date): Promise<void> {
  await sql`UPDATE runs SET is_metered = true, billed_until = ${now},
      billed_minutes = ceil(greatest(0, ran_ms - ran_from_ms + since_measured(measured_at, ${now})) / 60000.0)::integer
    FROM instances WHERE instances.uuid = runs.instance_uuid AND runs.organization_uuid = ${organization}
      AND NOT runs.is_metered AND runs.ended_at = 'infinity'`.execute(trx);
}

export async function insertEntry(
  db: Database,
  entry: { uuid: string; organization_uuid: string; kind: "grant" | "use"; minutes: number; at: Date },
): Promise<void> {
  await db.insertInto("minute_entries").values(entry).execute();
}

/** An organization whose devices nothing else stops, or whose devices have a stop announced. */
export interface Limited {
  uuid: string;
  license_type: "metered" | "pending" | "fixed";
  license_expires_at: Date | null;
  minutes_settled_at: Date | null;
  is_unpaid: boolean;
  /** Whether a stop was announced for some devices, or some run that were paid in advance by a plan which has ended. */
  is_told: boolean;
}

/**
 * Organizations that have devices in one of `states`, and no plan for them, one that is not paid, or a license that has ended; and those
 * with devices whose stop was announced. All, or one.
 */
export async function listLimited(
  db: Database,
  { states, now }: { states: readonly string[]; now: Date },
  organization: string | null = null,
): Promise<Limited[]> {
  const { rows } = await sql<Limited>`
    SELECT organization.*, told.is_told OR license_type = 'pending' AND EXISTS (SELECT FROM runs
      WHERE organization_uuid = organization.uuid AND ended_at = 'infinity' AND NOT is_metered) AS is_told
    FROM (
      SELECT uuid, license_type, license_expires_at, minutes_settled_at, is_unpaid FROM organizations WHERE ${organization}::uuid IS NULL OR uuid = ${organization}
    ) AS organization, LATERAL (SELECT EXISTS (SELECT FROM instances
      WHERE organization_uuid = organization.uuid AND cover_stops_at IS NOT NULL AND ended_at IS NULL) AS is_told) AS told
    WHERE told.is_told OR (license_type = 'pending' OR is_unpaid OR license_expires_at <= ${now})
      AND EXISTS (SELECT FROM instances WHERE organization_uuid = organization.uuid AND state = ANY(${states}::text[]))`.execute(
    db,
  );
  return rows;
}

/** Those without a plan that have ended runs which are not settled since a time. */
export async function listUnsettled(db: Database, before: Date): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM organizations WHERE license_type = 'pending' AND coalesce(minutes_settled_at, created_at) < ${before}
      AND EXISTS (SELECT FROM runs WHERE organization_uuid = organizations.uuid AND is_metered
        AND ended_at > coalesce(minutes_settled_at, '-infinity') AND ended_at < 'infinity')`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/**
 * The devices of an organization in one of `states`, the oldest first: when their stop was announced, whether they are paid in advance, and
 * whether they only wait for room.
 */
export async function listDevices(db: Database, organization: string, states: readonly InstanceState[]) {
  const { rows } = await sql<{ uuid: string; stops_at: Date | null; is_paid: boolean; waits: boolean }>`
    SELECT uuid, ${waits} AS waits, cover_stops_at AS stops_at, EXISTS (SELECT FROM runs
      WHERE instance_uuid = instances.uuid AND ended_at = 'infinity' AND NOT is_metered) AS is_paid
    FROM instances WHERE organization_uuid = ${organization} AND state = ANY(${states}::text[]) ORDER BY created_at, uuid`.execute(
    db,
  );
  return rows;
}

/** How long devices ran in a period, metered or not, each begun minute of one. */
export async function sumRan(db: Database, { organization, since, until, now }: Owed): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    SELECT coalesce(sum(ceil(extract(epoch FROM greatest(least(ended_at, ${until}, ${now}) - greatest(began_at, ${since}), '0')) / 60)), 0)::integer AS minutes
    FROM runs WHERE organization_uuid = ${organization} AND ended_at > ${since} AND began_at < ${until}`.execute(db);
  return rows[0]?.minutes ?? 0;
}
