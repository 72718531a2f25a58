import { runningStates, supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { changeJson, INSTANCE_CHANGED } from "./move-instance.store.ts";

const HOUR_MS = 60 * 60_000;

/** A device that waits. Its place is among those for the same runtime and zone. */
export interface Waiting {
  uuid: string;
  organization_uuid: string;
  zone: string;
  runtime: string;
  /** Those that are made alike need the same of a machine. */
  made: string;
  place: number;
  /** Whether a gateway tries it at this moment. */
  is_tried: boolean;
  /** Whether its organization has as many devices as it may. */
  is_own_limit: boolean;
  /** Whether neither that nor the limit of its zone keeps it waiting. */
  has_room: boolean;
  queued_at: Date;
}

const waits = sql`(queued_at IS NOT NULL AND state = 'CREATING')`;
const isHeld = sql`EXISTS (SELECT FROM gateways WHERE id = lease_holder)`;
const madeOf = sql`((snapshot #>> '{osImage,artefact}') || ' ' || (snapshot #>> '{hardwareProfile,uuid}'))`;
const runtimeOf = sql`(snapshot #>> '{osImage,runtime}')`;

/** Everything that waits, next first: each time the organization is next that has the fewest devices, those before in the queue counted. */
export async function listWaiting(db: Database): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    WITH waiting AS MATERIALIZED (
      SELECT uuid, organization_uuid, zone, ${runtimeOf} AS runtime, ${madeOf} AS made, queued_at, ${isHeld} AS is_tried FROM instances WHERE ${waits}
    ), used AS (
      SELECT organization_uuid, zone, count(*)::integer AS count,
        count(*) FILTER (WHERE state = ANY(${runningStates}::text[]))::integer AS running
      FROM instances WHERE EXISTS (SELECT FROM waiting) AND state = ANY(${supervisedStates}::text[]) AND (NOT ${waits} OR ${isHeld})
      GROUP BY organization_uuid, zone
    ), shared AS (
      SELECT waiting.*, uses.running, row_number() OVER (PARTITION BY organization_uuid, zone, runtime ORDER BY queued_at, uuid)
        + uses.running AS share
      FROM waiting, LATERAL (
        SELECT coalesce(sum(running), 0)::integer AS running FROM used WHERE used.organization_uuid = waiting.organization_uuid) AS uses
    )
    SELECT shared.uuid, organization_uuid, shared.zone, runtime, made, queued_at, is_tried,
      row_number() OVER (PARTITION BY shared.zone, runtime ORDER BY share, queued_at, shared.uuid)::integer AS place,
      running >= instances_max AS is_own_limit, running < instances_max AND coalesce(
        (SELECT sum(count) FROM used WHERE used.zone = shared.zone)
          < (SELECT devices_max FROM zone_limits WHERE zone_limits.zone = shared.zone), true) AS has_room
    FROM shared JOIN organizations ON organizations.uuid = organization_uuid
    ORDER BY shared.zone, runtime, place`.execute(db);
  return rows;
}

/** Puts a device that could not be started back into the queue, in which it keeps its place, unless it is another's by now. */
export async function putBack(db: Database, { uuid, epoch }: { uuid: string; epoch: number }): Promise<void> {
  await sql`UPDATE instances SET lease_holder = NULL, ran_ms = 0, measured_at = NULL
    WHERE uuid = ${uuid} AND lease_epoch = ${epoch} AND ${waits}`.execute(db);
}

/** How many devices of a kind of machine ended in the last hour. */
export async function countEnded(
  db: Database,
  { zone, runtime }: Pick<Waiting, "zone" | "runtime">,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM instances
    WHERE ended_at > ${new Date(now.getTime() - HOUR_MS)} AND place IS NOT NULL AND online_at IS NOT NULL
      AND zone = ${zone} AND ${runtimeOf} = ${runtime}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Writes where a device stands, and notifies, if that is other than before, or the time has passed. */
export async function writePlace(
  db: Database,
  { uuid, place, startsAt, now }: { uuid: string; place: number; startsAt: Date | null; now: Date },
): Promise<void> {
  await sql`
    WITH changed AS (
      UPDATE instances SET queue_place = ${place}, queue_starts_at = ${startsAt}, revision = revision + 1, updated_at = ${now}
      WHERE uuid = ${uuid} AND ${waits} AND (queue_place IS DISTINCT FROM ${place}::integer
        OR (queue_starts_at IS NULL) <> ${startsAt === null} OR queue_starts_at < ${now})
      RETURNING *)
    SELECT pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("changed"))}::text) FROM changed`.execute(db);
}

/** How many devices may be in a zone, if that is limited, and how many are. While one looks, nobody else starts one there. */
export async function lockZone(trx: Database, zone: string): Promise<{ max: number; count: number } | undefined> {
  const limit = await trx
    .selectFrom("zone_limits")
    .select("devices_max")
    .where("zone", "=", zone)
    .forUpdate()
    .executeTakeFirst();
  if (!limit) return undefined;
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM instances
    WHERE zone = ${zone} AND state = ANY(${supervisedStates}::text[]) AND (NOT ${waits} OR ${isHeld})`.execute(trx);
  return { max: limit.devices_max, count: rows[0]?.count ?? 0 };
}

export async function setZoneLimit(trx: Database, zone: string, devices: number | undefined): Promise<void> {
  await trx.deleteFrom("zone_limits").where("zone", "=", zone).execute();
  if (devices !== undefined) await trx.insertInto("zone_limits").values({ zone, devices_max: devices }).execute();
}

/** What the limits of zones are, and how many devices each has; those that have neither are left out. */
export async function listZones(db: Database) {
  const { rows } = await sql<{ zone: string; devices: number; waiting: number; devices_max: number | null }>`
    SELECT zone, coalesce(devices, 0) AS devices, coalesce(waiting, 0) AS waiting, devices_max
    FROM zone_limits FULL JOIN (
      SELECT zone, count(*) FILTER (WHERE NOT ${waits})::integer AS devices, count(*) FILTER (WHERE ${waits})::integer AS waiting
      FROM instances WHERE state = ANY(${supervisedStates}::text[]) GROUP BY zone) AS used USING (zone)
    ORDER BY zone`.execute(db);
  return rows;
}
