import type { Person } from "@terrarium/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Part of an organization's runs, until now. */
export interface RunFilter {
  organization: string;
  since: Date;
  /** Not included. */
  until: Date;
  now: Date;
}

interface Sums {
  seconds: number;
  starts: number;
}

/** What was used on a day, by a person, for a group, or of a recipe. */
export type UseRow = Sums &
  (
    | { of: "day"; day: number }
    | ({ of: "person" } & Person)
    | { of: "group"; uuid: string | null; name: string | null }
    | { of: "recipe"; uuid: string | null; name: string | null; is_deleted: boolean }
  );

/** Those that were online at some time of a period. */
const inPeriod = ({ organization, since, until, now }: RunFilter): RawBuilder<unknown> =>
  sql`organization_uuid = ${organization} AND ended_at > ${since} AND began_at < ${until} AND began_at < ${now}`;

/**
 * How long devices were online within some days, which are counted from 1, and how often one came online: for each day, person, group and
 * recipe that has any, the most first. A run counts on each day for the part that lies in it.
 * @param bounds when each day begins, and when the last ends
 */
export async function sumUse(
  db: Database,
  { organization, now }: Pick<RunFilter, "organization" | "now">,
  bounds: readonly Date[],
): Promise<UseRow[]> {
  const [since, until] = [bounds[0] ?? now, bounds.at(-1) ?? now];
  const days = sql`${bounds.map((bound) => bound.toISOString())}::timestamptz[]`;
  const sums = sql`extract(epoch FROM sum(used))::float8 AS seconds, sum(starts)::integer AS starts`;
  const { rows } = await sql<{ row: UseRow }>`
    WITH run AS NOT MATERIALIZED (
      SELECT counted_for, owner_uuid, recipe_uuid, recipe_name, greatest(began_at, ${since}) AS began,
        greatest(began_at, least(ended_at, ${until}, ${now})) AS ended,
        (began_at >= ${since} AND NOT continues)::integer AS starts
      FROM runs WHERE ${inPeriod({ organization, since, until, now })}
    ), on_day AS (
      SELECT day, least(ended, (${days})[day + 1]) - greatest(began, (${days})[day]) AS used,
        CASE WHEN day = first_day THEN starts ELSE 0 END AS starts
      FROM (
        -- As a column, and not joined: most runs have one day, and a join would set up a scan for each.
        SELECT *, width_bucket(began, ${days}) AS first_day,
          generate_series(width_bucket(began, ${days}), least(width_bucket(ended, ${days}), ${bounds.length - 1})) AS day
        FROM run
      ) AS cut
    ), part AS MATERIALIZED (
      -- Apart from the days, with which there would be nearly as many groups as runs.
      SELECT counted_for, owner_uuid, recipe_uuid, max(recipe_name) AS recipe_name, sum(ended - began) AS used, sum(starts) AS starts
      FROM run GROUP BY counted_for, owner_uuid, recipe_uuid
    ), member AS (
      WITH RECURSIVE above AS (
        SELECT user_uuid, group_uuid FROM group_users JOIN groups ON groups.uuid = group_uuid
        WHERE organization_uuid = ${organization} AND user_uuid IN (SELECT counted_for FROM part)
        UNION
        SELECT user_uuid, parent_uuid FROM above JOIN groups ON groups.uuid = group_uuid WHERE parent_uuid IS NOT NULL
      )
      SELECT * FROM above
    ), by_day AS (
      SELECT 'day' AS of, day, ${sums} FROM on_day GROUP BY day
    ), by_person AS (
      SELECT 'person' AS of, owner_uuid AS uuid, email, first_name, last_name, ${sums}
      FROM part JOIN users ON users.uuid = owner_uuid GROUP BY owner_uuid, users.uuid
    ), by_group AS (
      SELECT 'group' AS of, groups.uuid, groups.name, ${sums}
      FROM part LEFT JOIN member ON user_uuid = counted_for LEFT JOIN groups ON groups.uuid = group_uuid
      GROUP BY groups.uuid
    ), by_recipe AS (
      SELECT 'recipe' AS of, recipe_uuid AS uuid, coalesce(recipes.name, max(recipe_name)) AS name,
        recipes.uuid IS NULL AS is_deleted, ${sums}
      FROM part LEFT JOIN recipes ON recipes.uuid = recipe_uuid GROUP BY recipe_uuid, recipes.uuid
    )
    SELECT row FROM (
      SELECT to_json(by_day) AS row, seconds, day::text AS name FROM by_day
      UNION ALL SELECT to_json(by_person), seconds, email FROM by_person
      UNION ALL SELECT to_json(by_group), seconds, name FROM by_group
      UNION ALL SELECT to_json(by_recipe), seconds, name FROM by_recipe
    ) AS use ORDER BY seconds DESC, name`.execute(db);
  return rows.map(({ row }) => row);
}

/** A run as an export has it. */
export interface RunRow {
  device: string;
  device_uuid: string;
  recipe: string | null;
  email: string;
  groups: string;
  began_at: Date;
  /** Null while it is online. */
  ended_at: Date | null;
  /** Until now, if it is online; all of it, also what lies outside of the period. */
  seconds: number;
  zone: string;
  /** After which the next page begins. */
  key: RunKey;
}
/** The time is text, as the database's are finer than ours. */
type RunKey = [began: string, instance: string, revision: number];

/** How many runs a period has, but no more than `most`. */
export async function countRuns(db: Database, filter: RunFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT FROM runs WHERE ${inPeriod(filter)} LIMIT ${most}) AS found`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Some runs of a period, in the order in which they began, after a key. */
export async function findRuns(
  db: Database,
  filter: RunFilter,
  { after, limit }: { after: RunKey | undefined; limit: number },
): Promise<RunRow[]> {
  const next = after
    ? sql`AND (began_at, instance_uuid, revision) > (${after[0]}::timestamptz, ${after[1]}::uuid, ${after[2]}::integer)`
    : sql``;
  const { rows } = await sql<RunRow>`
    WITH found AS (
      SELECT * FROM runs WHERE ${inPeriod(filter)} ${next} ORDER BY began_at, instance_uuid, revision LIMIT ${limit}
    )
    SELECT coalesce(instances.name, '') AS device, found.instance_uuid AS device_uuid, coalesce(recipes.name, recipe_name) AS recipe, email,
      coalesce((SELECT string_agg(groups.name, ', ' ORDER BY lower(groups.name)) FROM group_users JOIN groups ON groups.uuid = group_uuid
        WHERE user_uuid = counted_for AND groups.organization_uuid = ${filter.organization}), '') AS groups,
      began_at, CASE WHEN found.ended_at <= ${filter.now} THEN found.ended_at END AS ended_at, coalesce(zone, '') AS zone,
      extract(epoch FROM least(found.ended_at, ${filter.now}) - began_at)::float8 AS seconds,
      json_build_array(began_at, instance_uuid, found.revision) AS key
    FROM found LEFT JOIN instances ON instances.uuid = instance_uuid JOIN users ON users.uuid = found.owner_uuid
      LEFT JOIN recipes ON recipes.uuid = found.recipe_uuid
    ORDER BY began_at, instance_uuid, found.revision`.execute(db);
  return rows;
}
