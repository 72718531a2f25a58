import { type InstanceState, supervisedStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceFields } from "./move-instance.ts";

/** A gateway that is not heard of for this long loses its devices to another. */
export const LEASE_MS = 10_000;

/** Somebody has to supervise the device. */
const isSupervised = sql`state = ANY(${supervisedStates}::text[])`;

/** Leases devices that nobody supervises, a bounded number at a time; each gets a new epoch. */
export async function claimInstances(
  db: Database,
  holder: string,
  now: Date,
  limit: number,
): Promise<InstanceFields[]> {
  const { rows } = await sql<InstanceFields>`
    UPDATE instances SET lease_holder = ${holder}, lease_epoch = lease_epoch + 1, lease_expires_at = ${new Date(now.getTime() + LEASE_MS)}
    WHERE uuid IN (
      SELECT uuid FROM instances WHERE ${isSupervised} AND (lease_holder IS NULL OR lease_expires_at <= ${now})
      ORDER BY created_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ) RETURNING *`.execute(db);
  return rows;
}

export interface Held {
  uuid: string;
  lease_epoch: number;
  state: InstanceState;
}

/** Renews the leases of a holder; answers what it still holds. */
export async function renewLeases(db: Database, holder: string, now: Date): Promise<Held[]> {
  const { rows } = await sql<Held>`
    UPDATE instances SET lease_expires_at = ${new Date(now.getTime() + LEASE_MS)}
    WHERE ${isSupervised} AND lease_holder = ${holder} RETURNING uuid, lease_epoch, state`.execute(db);
  return rows;
}

/** The state of a device whose lease is still of this epoch. */
export async function findHeldState(db: Database, uuid: string, epoch: number): Promise<InstanceState | undefined> {
  const held = db.selectFrom("instances").where("uuid", "=", uuid).where("lease_epoch", "=", epoch);
  return (await held.select("state").executeTakeFirst())?.state;
}

/** Lets go of these devices, unless somebody has claimed them since. */
export async function dropLeasesOf(db: Database, holder: string, held: readonly Held[]): Promise<void> {
  for (const { uuid, lease_epoch } of held)
    await sql`UPDATE instances SET lease_holder = NULL
      WHERE uuid = ${uuid} AND lease_holder = ${holder} AND lease_epoch = ${lease_epoch}`.execute(db);
}

/** Lets go of all that a holder has: at its end, or when it begins again under the same name. */
export async function dropLeases(db: Database, holder: string): Promise<void> {
  await sql`UPDATE instances SET lease_holder = NULL WHERE ${isSupervised} AND lease_holder = ${holder}`.execute(db);
}

/** When each device was last used. */
export async function writeActivity(db: Database, used: ReadonlyMap<string, number>): Promise<void> {
  if (used.size === 0) return;
  const uuids = [...used.keys()];
  const times = [...used.values()].map((time) => new Date(time));
  await sql`
    UPDATE instances SET last_active_at = used.at
    FROM unnest(${uuids}::uuid[], ${times}::timestamptz[]) AS used (uuid, at)
    WHERE instances.uuid = used.uuid AND (last_active_at IS NULL OR last_active_at < used.at)`.execute(db);
}

/** The boot that each of these devices is in, for those that somebody has to supervise. */
export async function findBoots(db: Database, uuids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ uuid: string; boot: number }>`
    SELECT uuid, boot FROM instances WHERE ${isSupervised} AND uuid = ANY(${uuids}::uuid[])`.execute(db);
  return new Map(rows.map(({ uuid, boot }) => [uuid, boot]));
}
