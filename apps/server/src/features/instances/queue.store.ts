import { supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { countedFor } from "../groups/groups.store.ts";
import { changeColumns } from "./instances.store.ts";
import { changeJson, INSTANCE_CHANGED } from "./move-instance.store.ts";
import { runs, waits } from "./waits.store.ts";

const HOUR_MS = 60 * 60_000;

/** A device that waits, whatever its person's groups say. Its place is among those for the same runtime and zone. */
export interface WaitingRow {
  uuid: string;
  organization_uuid: string;
  zone: string;
  runtime: string;
  artefact: string;
  hardware_profile: string;
  /** For whose groups it counts. */
  user_uuid: string;
  place: number;
  /** Whether a gateway tries it at this moment. */
  is_tried: boolean;
  /** Whether its organization has as many devices as it may. */
  is_own_limit: boolean;
  /** Whether it may start, and neither that nor the limit of its zone makes it wait. */
  has_room: boolean;
  /** Why it may not be started any more. */
  lost: "plan_suspended" | "user_not_enabled" | null;
  queued_at: Date;
}

const returned = sql.join(changeColumns.map((column) => sql.ref(`instances.${column}`)));
const runtimeOf = sql`(snapshot #>> '{osImage,runtime}')`;

/**
 * What waits, or that of a zone and of an organization: next first. Each time the organization is next that has the fewest devices, those
 * before in the queue counted; of equals who asked first, as it is chance whose first try ends first.
 */
export async function findWaiting(
  db: Database,
  only?: { zone: string; organization_uuid: string },
): Promise<WaitingRow[]> {
  const isAsked = only ? sql`AND (zone = ${only.zone} OR organization_uuid = ${only.organization_uuid})` : sql``;
  const { rows } = await sql<WaitingRow>`
    WITH waiting AS MATERIALIZED (
      SELECT uuid, organization_uuid, owner_uuid, zone, queued_at, created_at, NOT ${waits} AS is_tried,
        ${runtimeOf} AS runtime, snapshot #>> '{osImage,artefact}' AS artefact, snapshot #>> '{hardwareProfile,uuid}' AS hardware_profile,
        ${countedFor} AS user_uuid
      FROM instances WHERE queued_at IS NOT NULL ${isAsked}
    ), used AS (
      SELECT organization_uuid, zone, count(*)::integer AS count, count(*) FILTER (WHERE ${runs})::integer AS running
      FROM instances WHERE EXISTS (SELECT FROM waiting) AND state = ANY(${supervisedStates}::text[]) AND NOT ${waits}
      GROUP BY organization_uuid, zone
    ), shared AS (
      SELECT waiting.*, uses.running, row_number() OVER (PARTITION BY organization_uuid, zone, runtime ORDER BY created_at, uuid)
        + uses.running AS share
      FROM waiting, LATERAL (
        SELECT coalesce(sum(running), 0)::integer AS running FROM used WHERE used.organization_uuid = waiting.organization_uuid) AS uses
    )
    SELECT shared.uuid, shared.organization_uuid, shared.zone, runtime, artefact, hardware_profile, user_uuid, queued_at, is_tried, lost,
      row_number() OVER (PARTITION BY shared.zone, runtime ORDER BY share, shared.created_at, shared.uuid)::integer AS place,
      running >= instances_max AS is_own_limit, lost IS NULL AND running < instances_max AND coalesce(
        (SELECT coalesce(sum(count), 0) FROM used WHERE used.zone = shared.zone)
          < (SELECT devices_max FROM zone_limits WHERE zone_limits.zone = shared.zone), true) AS has_room
    FROM shared JOIN organizations ON organizations.uuid = shared.organization_uuid JOIN users ON users.uuid = owner_uuid, LATERAL (
      SELECT CASE WHEN NOT license_is_active OR is_unpaid THEN 'plan_suspended' WHEN NOT is_enabled THEN 'user_not_enabled' END AS lost) AS may
    ORDER BY shared.zone, runtime, place`.execute(db);
  return rows;
}

/**
 * A device that nothing had room for waits, or waits again in its old place, and nobody holds it: whoever has room may try it. Its state
 * stays, so nothing is added to its history. Answers false if it is to stop, or another's by now.
 */
export async function putBack(
  db: Database,
  { uuid, epoch, now }: { uuid: string; epoch: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    WITH back AS (
      UPDATE instances SET lease_holder = NULL, place = NULL, ran_ms = 0, measured_at = NULL, queued_at = coalesce(queued_at, ${now}),
        revision = revision + (queued_at IS NULL)::integer, updated_at = CASE WHEN queued_at IS NULL THEN ${now} ELSE updated_at END
      WHERE uuid = ${uuid} AND lease_epoch = ${epoch} AND state = 'CREATING'
      RETURNING ${returned})
    SELECT CASE WHEN queued_at = ${now} THEN pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("back"))}::text) END FROM back`.execute(
    db,
  );
  return rows.length > 0;
}

/** How many devices of a kind of machine ended in the last hour. */
export async function countEnded(
  db: Database,
  { zone, runtime }: Pick<WaitingRow, "zone" | "runtime">,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM instances
    WHERE ended_at > ${new Date(now.getTime() - HOUR_MS)} AND NOT is_warm AND online_at IS NOT NULL
      AND zone = ${zone} AND ${runtimeOf} = ${runtime}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Where a device stands, and when its turn may come. */
export interface Standing {
  uuid: string;
  place: number;
  startsAt: Date | null;
}

/** Writes where devices stand, and notifies of those for which that is other than before, or whose time has passed. */
export async function writeStandings(db: Database, standings: readonly Standing[], now: Date): Promise<void> {
  if (standings.length === 0) return;
  await sql`
    WITH changed AS (
      UPDATE instances SET queue_place = now_at.place, queue_starts_at = now_at.starts_at, revision = revision + 1, updated_at = ${now}
      FROM unnest(${standings.map(({ uuid }) => uuid)}::uuid[], ${standings.map(({ place }) => place)}::integer[],
        ${standings.map((standing) => standing.startsAt)}::timestamptz[]) AS now_at (uuid, place, starts_at)
      WHERE instances.uuid = now_at.uuid AND queued_at IS NOT NULL AND (queue_place IS DISTINCT FROM now_at.place
        OR (queue_starts_at IS NULL) <> (now_at.starts_at IS NULL) OR queue_starts_at < ${now})
      RETURNING ${returned})
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
    WHERE zone = ${zone} AND state = ANY(${supervisedStates}::text[]) AND NOT ${waits}`.execute(trx);
  return { max: limit.devices_max, count: rows[0]?.count ?? 0 };
}

export async function setZoneLimit(trx: Database, zone: string, devices: number | undefined): Promise<void> {
  if (devices === undefined) return void (await trx.deleteFrom("zone_limits").where("zone", "=", zone).execute());
  // A start that waits at the row finds it there.
  await trx
    .insertInto("zone_limits")
    .values({ zone, devices_max: devices })
    .onConflict((conflict) => conflict.column("zone").doUpdateSet({ devices_max: devices }))
    .execute();
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
