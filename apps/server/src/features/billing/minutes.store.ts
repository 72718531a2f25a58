import type { InstanceState } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

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
const owedRuns = ({ organization, since, until, now }: Owed) => sql`
  SELECT *, greatest(0, until_then - billed_minutes) AS minutes FROM (
    SELECT runs.instance_uuid, runs.revision, runs.recipe_name, runs.began_at, runs.ended_at, runs.billed_minutes, runs.billed_until,
      ceil(least(
        coalesce(runs.used_ms, greatest(0, ran_ms - ran_from_ms + since_measured(measured_at, ${now}))) / 60000.0,
        CASE WHEN runs.ended_at > ${until} THEN extract(epoch FROM ${until}::timestamptz - runs.began_at) / 60 END
      ))::integer AS until_then
    FROM runs LEFT JOIN instances ON runs.ended_at = 'infinity' AND instances.uuid = runs.instance_uuid
    WHERE runs.organization_uuid = ${organization} AND is_metered AND runs.ended_at > ${since} AND runs.began_at < ${until}
  ) AS run`;

export async function sumOwed(db: Database, owed: Owed): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    SELECT coalesce(sum(minutes), 0)::integer AS minutes FROM (${owedRuns(owed)}) AS owed`.execute(db);
  return rows[0]?.minutes ?? 0;
}

/** Free minutes that were granted and not settled as used, which is never less than none. */
export async function sumEntries(db: Database, organization: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    SELECT coalesce(sum(minutes), 0)::integer AS minutes FROM minute_entries WHERE organization_uuid = ${organization}`.execute(
    db,
  );
  return rows[0]?.minutes ?? 0;
}

/** Runs that go on do not end from here to the end of the transaction. */
export async function lockRuns(trx: Database, organization: string): Promise<void> {
  await sql`SELECT FROM runs WHERE organization_uuid = ${organization} AND is_metered AND ended_at = 'infinity'
    ORDER BY instance_uuid, revision FOR UPDATE`.execute(trx);
}

/** A line for each run of a period that has minutes. */
export async function insertRunLines(trx: Database, invoice: string, price: number, owed: Owed): Promise<void> {
  await sql`INSERT INTO invoice_lines (invoice_uuid, position, description, began_at, ended_at, quantity, price, amount)
    SELECT ${invoice}, row_number() OVER (ORDER BY began_at, instance_uuid, revision), coalesce(recipe_name, ''),
      greatest(began_at, coalesce(billed_until, began_at)), least(ended_at, ${owed.until}), minutes, ${price}::integer, minutes * ${price}::integer
    FROM (${owedRuns(owed)}) AS owed WHERE minutes > 0`.execute(trx);
}

/** The last line: minutes that were free. */
export async function insertFreeLine(
  trx: Database,
  invoice: string,
  price: number,
  { since, until, minutes }: Owed & { minutes: number },
): Promise<void> {
  await sql`INSERT INTO invoice_lines (invoice_uuid, position, description, began_at, ended_at, quantity, price, amount)
    SELECT ${invoice}, max(position) + 1, 'Free minutes', greatest(${since}, min(began_at)), ${until}, ${-minutes}::integer, ${price}::integer,
      ${-minutes * price}::integer
    FROM invoice_lines WHERE invoice_uuid = ${invoice}`.execute(trx);
}

/** What was read as owed is settled: runs that go on remember it, and those whose devices are deleted end here. */
export async function closePeriod(trx: Database, owed: Owed): Promise<void> {
  const { organization, since, until } = owed;
  await sql`UPDATE runs SET billed_minutes = greatest(runs.billed_minutes, owed.until_then), billed_until = ${until}
    FROM (${owedRuns(owed)}) AS owed
    WHERE owed.ended_at > ${until} AND runs.instance_uuid = owed.instance_uuid AND runs.revision = owed.revision`.execute(
    trx,
  );
  await sql`DELETE FROM runs WHERE organization_uuid = ${organization} AND is_metered AND ended_at > ${since} AND ended_at <= ${until}
    AND NOT EXISTS (SELECT FROM instances WHERE uuid = instance_uuid)`.execute(trx);
}

/** What goes on is paid in advance from now on. */
export async function coverRuns(trx: Database, organization: string): Promise<void> {
  await sql`UPDATE runs SET is_metered = false WHERE organization_uuid = ${organization} AND is_metered AND ended_at = 'infinity'`.execute(
    trx,
  );
}

export async function insertEntry(
  db: Database,
  entry: { uuid: string; organization_uuid: string; kind: "grant" | "use"; minutes: number; at: Date },
): Promise<void> {
  await db.insertInto("minute_entries").values(entry).execute();
}

export interface Limited {
  uuid: string;
  license_expires_at: Date | null;
  minutes_settled_at: Date | null;
  /** Whether it has not paid for its plan. */
  is_suspended: boolean;
}

/** Organizations that have devices in one of `states`, and no plan for them, or one that is suspended. */
export async function listLimited(db: Database, states: readonly string[]): Promise<Limited[]> {
  const { rows } = await sql<Limited>`
    SELECT * FROM (
      SELECT uuid, license_type, license_expires_at, minutes_settled_at,
        NOT license_is_active AND EXISTS (SELECT FROM subscriptions WHERE organization_uuid = organizations.uuid) AS is_suspended
      FROM organizations
    ) AS organization
    WHERE (license_type = 'pending' OR is_suspended)
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

/** The devices of an organization in one of `states`. */
export async function listDevices(
  db: Database,
  organization: string,
  states: readonly InstanceState[],
): Promise<string[]> {
  const rows = db.selectFrom("instances").select("uuid").where("organization_uuid", "=", organization);
  return (await rows.where("state", "in", states).orderBy("uuid").execute()).map(({ uuid }) => uuid);
}

/** How long devices ran in a period, metered or not, each begun minute of one. */
export async function sumRan(db: Database, { organization, since, until, now }: Owed): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    SELECT coalesce(sum(ceil(extract(epoch FROM greatest(least(ended_at, ${until}, ${now}) - greatest(began_at, ${since}), '0')) / 60)), 0)::integer AS minutes
    FROM runs WHERE organization_uuid = ${organization} AND ended_at > ${since} AND began_at < ${until}`.execute(db);
  return rows[0]?.minutes ?? 0;
}
