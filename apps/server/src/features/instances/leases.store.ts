import { instancePhases, type InstanceState, supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { DeviceTime } from "./device-time.ts";
import type { InstanceFields } from "./move-instance.ts";

/** Somebody has to supervise the device. As literals, which every plan can find in the index `instances_supervised`. */
const isSupervised = sql`state IN (${sql.join(supervisedStates.map((state) => sql.lit(state)))})`;
/** Those that hold a lease and have no row any more, found from one to the next: whatever they hold is not read. */
const gone = sql`ARRAY(
  WITH RECURSIVE holders (id) AS (
    (SELECT min(lease_holder) FROM instances WHERE ${isSupervised})
    UNION ALL
    SELECT (SELECT min(lease_holder) FROM instances WHERE ${isSupervised} AND lease_holder > id) FROM holders WHERE id IS NOT NULL)
  SELECT id FROM holders WHERE id IS NOT NULL AND id NOT IN (SELECT gateways.id FROM gateways))`;
/** Nobody does. A lease ends with its gateway's row. */
const isFree = sql`(lease_holder IS NULL OR lease_holder = ANY(${gone}))`;

/** A runtime of a gateway, and the place whose machines it reaches. */
export interface Reach {
  runtime: string;
  place: string;
}

/** A gateway that wants devices. */
export interface Claimer {
  holder: string;
  reach: readonly Reach[];
  /** Those that its machines are in; null for all. */
  zones?: readonly string[] | null;
  /** One that waits, whose turn it is: it alone is claimed. Otherwise none is that waits. */
  turn?: string;
}

/** What a gateway needs of a device to run it. */
export type ClaimedInstance = Pick<
  InstanceFields,
  | "uuid"
  | "boot"
  | "name"
  | "state"
  | "lease_epoch"
  | "ran_ms"
  | "idle_ms"
  | "measured_at"
  | "is_warm"
  | "may_queue"
  | "queued_at"
  | "snapshot"
  | "zone"
>;

/**
 * Leases devices that nobody supervises and whose machine is or will be within reach, a bounded number at a time; each gets a new epoch.
 * A device that is still being created may change its place: the machine that may be left there is ended as one without a device. Only
 * devices that have to be started come with their layers, which may be megabytes. A device is created in its zone; where it runs already, its
 * machine is looked after. A gateway that drains takes those alone. One that waits has not been starting before, whatever was measured of
 * an earlier try.
 */
export async function claimInstances(
  db: Database,
  { holder, reach, zones = null, turn }: Claimer,
  limit: number,
): Promise<ClaimedInstance[]> {
  const { rows } = await sql<ClaimedInstance>`
    WITH free AS MATERIALIZED (
      SELECT uuid, reach.place FROM instances
      JOIN unnest(${reach.map(({ runtime }) => runtime)}::text[], ${reach.map(({ place }) => place)}::text[])
        AS reach (runtime, place) ON reach.runtime = snapshot #>> '{osImage,runtime}'
      WHERE ${isSupervised} AND ${isFree} AND ${turn === undefined ? sql`queued_at IS NULL` : sql`uuid = ${turn}`}
        AND CASE WHEN state = 'CREATING' THEN (${zones}::text[] IS NULL OR zone = ANY(${zones}::text[]))
            AND NOT EXISTS (SELECT FROM draining_gateways WHERE id = ${holder})
          ELSE instances.place IS NULL OR instances.place = reach.place END
      ORDER BY created_at LIMIT ${limit} FOR UPDATE OF instances SKIP LOCKED)
    UPDATE instances SET
      lease_holder = ${holder}, lease_epoch = lease_epoch + 1, lease_expires_at = NULL, place = free.place,
      ran_ms = CASE WHEN queued_at IS NULL THEN ran_ms ELSE 0 END, measured_at = CASE WHEN queued_at IS NULL THEN measured_at END
    FROM free WHERE instances.uuid = free.uuid
    RETURNING instances.uuid, boot, name, state, lease_epoch, ran_ms, idle_ms, measured_at, is_warm, may_queue, queued_at, zone,
      CASE WHEN state = ANY(${instancePhases.starting}::text[]) THEN snapshot
        ELSE snapshot #- '{osImage,layers}' END AS snapshot`.execute(db);
  return rows;
}

export interface Held {
  uuid: string;
  lease_epoch: number;
  state: InstanceState;
  timeout_inactivity: number;
  timeout_global: number;
  kept_until_ms: number;
}

/** What a holder holds. */
export async function listHeld(db: Database, holder: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    SELECT uuid, lease_epoch, state, timeout_inactivity, timeout_global, kept_until_ms FROM instances
    WHERE ${isSupervised} AND lease_holder = ${holder}`.execute(db);
  return rows;
}

/** A device that somebody has to supervise. */
export interface Unattended {
  uuid: string;
  /** Of its last lease. */
  lease_epoch: number;
  /** The gateway that had it and did not let go of it; null if it did. */
  lease_holder: string | null;
}

/** Devices that have to be supervised and are not, and do not wait for room. */
export async function listUnattended(db: Database): Promise<Unattended[]> {
  const { rows } = await sql<Unattended>`
    SELECT uuid, lease_epoch, lease_holder FROM instances WHERE ${isSupervised} AND ${isFree} AND queued_at IS NULL`.execute(
    db,
  );
  return rows;
}

/** The state of a device whose lease is still of this epoch. */
export async function findHeldState(db: Database, uuid: string, epoch: number): Promise<InstanceState | undefined> {
  const held = db.selectFrom("instances").where("uuid", "=", uuid).where("lease_epoch", "=", epoch);
  return (await held.select("state").executeTakeFirst())?.state;
}

/** Lets go of these devices, unless somebody has claimed them since. */
export async function dropLeasesOf(
  db: Database,
  holder: string,
  held: readonly { uuid: string; epoch: number }[],
): Promise<void> {
  if (held.length === 0) return;
  await sql`UPDATE instances SET lease_holder = NULL
    FROM unnest(${held.map(({ uuid }) => uuid)}::uuid[], ${held.map(({ epoch }) => epoch)}::integer[]) AS held (uuid, epoch)
    WHERE instances.uuid = held.uuid AND lease_epoch = held.epoch AND lease_holder = ${holder}`.execute(db);
}

/** Lets go of all that a holder of the same name had before. */
export async function dropLeases(db: Database, holder: string): Promise<void> {
  await sql`UPDATE instances SET lease_holder = NULL WHERE ${isSupervised} AND lease_holder = ${holder}`.execute(db);
}

/** Writes what the holder of these leases measured; nothing of one that was handed out while its holder has not heard of it. */
export async function writeTimes(
  db: Database,
  measured: readonly { uuid: string; epoch: number; isWarm: boolean; time: ReturnType<DeviceTime["read"]> }[],
): Promise<void> {
  if (measured.length === 0) return;
  await sql`
    UPDATE instances SET ran_ms = measured.ran_ms, idle_ms = measured.idle_ms, measured_at = measured.at
    FROM unnest(${measured.map(({ uuid }) => uuid)}::uuid[], ${measured.map(({ epoch }) => epoch)}::integer[],
      ${measured.map(({ time }) => time.ran_ms)}::bigint[], ${measured.map(({ time }) => time.idle_ms)}::bigint[],
      ${measured.map(({ time }) => time.measured_at)}::timestamptz[],
      ${measured.map(({ isWarm }) => isWarm)}::boolean[]) AS measured (uuid, epoch, ran_ms, idle_ms, at, is_warm)
    WHERE instances.uuid = measured.uuid AND lease_epoch = measured.epoch AND instances.is_warm = measured.is_warm`.execute(
    db,
  );
}

/** Time passes for devices as if it had been measured; whoever measures them next knows of it, too. */
export async function addTime(db: Database, ms: number): Promise<void> {
  await sql`
    UPDATE instances SET ran_ms = ran_ms + ${ms}::bigint, idle_ms = idle_ms + ${ms}::bigint,
      measured_at = measured_at + ${ms}::bigint * interval '1 millisecond'
    WHERE ${isSupervised} AND measured_at IS NOT NULL`.execute(db);
}

/** The boot that each of these devices is in, for those that somebody has to supervise and whose machine may be in this place. */
export async function findBoots(db: Database, place: string, uuids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ uuid: string; boot: number }>`
    SELECT uuid, boot FROM instances
    WHERE ${isSupervised} AND uuid = ANY(${uuids}::uuid[]) AND (place IS NULL OR place = ${place})`.execute(db);
  return new Map(rows.map(({ uuid, boot }) => [uuid, boot]));
}
