import { type InstanceState, supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { COUNTED_MS, type Starts } from "./expected-starts.ts";
import type { WarmPoolTable } from "./warm-pool.tables.ts";

const DAY_MS = 24 * 60 * 60_000;

type PoolKey = Pick<WarmPoolTable, "recipe_uuid" | "zone">;

/** A pool, and what decides how many devices it has. */
export interface PoolRow extends WarmPoolTable {
  /** Undefined of an official recipe. */
  organization_uuid: string | null;
}

export const listPools = (db: Database) =>
  db.selectFrom("warm_pools").select(["recipe_uuid", "zone"]).orderBy("recipe_uuid").orderBy("zone").execute();

/** Locks a pool, unless another process is at it. */
export const lockPool = (trx: Database, { recipe_uuid, zone }: PoolKey): Promise<PoolRow | undefined> =>
  trx
    .selectFrom("warm_pools")
    .innerJoin("recipes", "recipes.uuid", "recipe_uuid")
    .select(["recipe_uuid", "zone", "least", "most", "organization_uuid"])
    .where("recipe_uuid", "=", recipe_uuid)
    .where("zone", "=", zone)
    .forUpdate("warm_pools")
    .skipLocked()
    .executeTakeFirst();

export interface WarmDevice {
  uuid: string;
  state: InstanceState;
  ran_ms: number;
  /** Whether it was made as a start would make it now, and its gateway does not drain. */
  is_current: boolean;
}

/** A pool's devices, those that are ready last, and of these the oldest last. */
export async function listWarm(
  db: Database,
  { recipe_uuid, zone }: PoolKey,
  made_hash: string | undefined,
): Promise<WarmDevice[]> {
  const { rows } = await sql<WarmDevice>`
    SELECT uuid, state, ran_ms, coalesce(made_hash = ${made_hash ?? null}, false)
        AND NOT EXISTS (SELECT FROM draining_gateways WHERE id = lease_holder) AS is_current
    FROM instances
    WHERE is_warm AND ended_at IS NULL AND recipe_uuid = ${recipe_uuid} AND zone = ${zone}
      AND state = ANY(${supervisedStates}::text[])
    ORDER BY state = 'CREATED', created_at DESC, uuid`.execute(db);
  return rows;
}

/** Devices that no pool wants any more. */
export async function listUnwanted(db: Database): Promise<{ uuid: string; state: InstanceState }[]> {
  const { rows } = await sql<{ uuid: string; state: InstanceState }>`
    SELECT uuid, state FROM instances WHERE is_warm AND ended_at IS NULL AND NOT EXISTS (
      SELECT FROM warm_pools WHERE warm_pools.recipe_uuid = instances.recipe_uuid AND warm_pools.zone = instances.zone)`.execute(
    db,
  );
  return rows;
}

/** Whether a device of this pool has failed since a time. */
export async function hasFailedSince(db: Database, { recipe_uuid, zone }: PoolKey, since: Date): Promise<boolean> {
  const { rows } = await sql<{ has_failed: boolean }>`
    SELECT EXISTS (SELECT FROM instances WHERE is_warm AND state = 'ERROR' AND ended_at > ${since}
      AND recipe_uuid = ${recipe_uuid} AND zone = ${zone}) AS has_failed`.execute(db);
  return rows[0]?.has_failed ?? false;
}

/** How many starts that did not want to wait have found no machine with room since a time. */
export async function countRefused(
  db: Database,
  { zone, runtime, since }: { zone: string; runtime: string; since: Date },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM instances
    WHERE ended_at > ${since} AND reason = 'no_slot_available' AND NOT may_queue AND NOT is_warm
      AND zone = ${zone} AND snapshot #>> '{osImage,runtime}' = ${runtime}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many more devices the limit of a zone admits, once its ready devices have ended; undefined without a limit. */
export async function countFree(db: Database, zone: string): Promise<number | undefined> {
  const { rows } = await sql<{ free: number }>`
    SELECT devices_max - (
      SELECT count(*)::integer FROM instances WHERE instances.zone = zone_limits.zone AND state = ANY(${supervisedStates}::text[])
        AND queued_at IS NULL AND NOT (is_warm AND state IN ('STOPPING', 'DELETING'))) AS free
    FROM zone_limits WHERE zone = ${zone}`.execute(db);
  return rows[0]?.free;
}

/** Three counts rather than one of the whole week. */
export function startsOf({ recipe_uuid, zone }: PoolKey, now: Date) {
  const from = (ms: number) => new Date(now.getTime() - ms);
  const during = (ms: number) => sql<number>`(SELECT count(*)::integer FROM instances
    WHERE recipe_uuid = ${recipe_uuid} AND zone = ${zone} AND NOT is_warm
      AND created_at > ${from(ms)} AND created_at <= ${from(ms - COUNTED_MS)})`;
  return sql<Starts>`
    SELECT ${during(COUNTED_MS)} AS lately, ${during(DAY_MS)} AS "dayAgo", ${during(7 * DAY_MS)} AS "weekAgo"`;
}

/** How often the recipe was started in the zone, by whomever. */
export async function countStarts(db: Database, pool: PoolKey, now: Date): Promise<Starts> {
  const { rows } = await startsOf(pool, now).execute(db);
  return rows[0] ?? { lately: 0, dayAgo: 0, weekAgo: 0 };
}

/** Official recipes, or any by its identifier. */
export const findRecipesCalled = (db: Database, called: string) =>
  db
    .selectFrom("recipes")
    .select(["uuid", "name"])
    .where((where) =>
      where.or([
        where(sql<string>`uuid::text`, "=", called.toLowerCase()),
        where.and([where("is_official", "=", true), where("name", "=", called)]),
      ]),
    )
    .execute();

export async function upsertPool(trx: Database, pool: WarmPoolTable): Promise<void> {
  const { least, most } = pool;
  await trx
    .insertInto("warm_pools")
    .values(pool)
    .onConflict((conflict) => conflict.columns(["recipe_uuid", "zone"]).doUpdateSet({ least, most }))
    .execute();
}

/** Whether there was one. */
export async function deletePool(trx: Database, { recipe_uuid, zone }: PoolKey) {
  const { numDeletedRows } = await trx
    .deleteFrom("warm_pools")
    .where("recipe_uuid", "=", recipe_uuid)
    .where("zone", "=", zone)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export interface ShownPool extends WarmPoolTable {
  recipe: string;
  ready: number;
  starting: number;
  boot_p50_ms: number | null;
  boot_p95_ms: number | null;
}

/** For the operator, with how many devices are ready and how many boot. */
export async function showPools(db: Database): Promise<ShownPool[]> {
  const { rows } = await sql<ShownPool>`
    SELECT recipe_uuid, recipes.name AS recipe, zone, least, most, boot_p50_ms, boot_p95_ms,
      (SELECT count(*)::integer FROM instances WHERE is_warm AND ended_at IS NULL AND state = 'CREATED'
        AND instances.recipe_uuid = recipes.uuid AND instances.zone = warm_pools.zone) AS ready,
      (SELECT count(*)::integer FROM instances WHERE is_warm AND ended_at IS NULL AND state IN ('CREATING', 'STARTING', 'BOOTING')
        AND instances.recipe_uuid = recipes.uuid AND instances.zone = warm_pools.zone) AS starting
    FROM warm_pools JOIN recipes ON recipes.uuid = recipe_uuid LEFT JOIN os_images ON os_images.uuid = os_image_uuid
    ORDER BY recipes.name, zone`.execute(db);
  return rows;
}
