import { activeStates } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { GatewayFound } from "./instances.tables.ts";

/**
 * Each time with another beat, by which others see that the gateway is alive.
 * @param zones where its machines are; null for everywhere
 */
export async function upsertGateway(
  db: Database,
  id: string,
  address: string,
  zones: readonly string[] | null = null,
): Promise<void> {
  await sql`INSERT INTO gateways (id, address, zones, beat) VALUES (${id}, ${address}, ${zones}::text[], gen_random_uuid())
    ON CONFLICT (id) DO UPDATE SET address = excluded.address, zones = excluded.zones, beat = excluded.beat`.execute(
    db,
  );
}

/** What a gateway has found; its row is written only when that has changed. */
export async function writeFound(db: Database, id: string, found: GatewayFound): Promise<void> {
  await sql`UPDATE gateways SET found = ${JSON.stringify(found)}::jsonb
    WHERE id = ${id} AND found <> ${JSON.stringify(found)}::jsonb`.execute(db);
}

/** What a gateway has found; undefined if it is not up. */
export async function findFound(db: Database, id: string): Promise<GatewayFound | undefined> {
  return (await db.selectFrom("gateways").select("found").where("id", "=", id).executeTakeFirst())?.found;
}

/** Drains a gateway, or ends that; false if it is not there to drain, or nothing changes. */
export async function setDraining(db: Database, id: string, isDraining: boolean): Promise<boolean> {
  const { numAffectedRows } = await (
    isDraining
      ? sql`INSERT INTO draining_gateways SELECT id FROM gateways WHERE id = ${id} ON CONFLICT DO NOTHING`
      : sql`DELETE FROM draining_gateways WHERE id = ${id}`
  ).execute(db);
  return numAffectedRows === 1n;
}

/** Whether there are gateways, and none of them serves the zone, or takes devices in it when `taking` is asked for. */
export async function isUnserved(db: Database, zone: string, { taking = false } = {}): Promise<boolean> {
  const { rows } = await sql<{ is_unserved: boolean | null }>`
    SELECT bool_and(zones IS NOT NULL AND NOT ${zone} = ANY(zones)
      OR ${taking} AND id IN (SELECT id FROM draining_gateways)) AS is_unserved FROM gateways`.execute(db);
  return rows[0]?.is_unserved ?? false;
}

/** Whether a gateway is up that takes devices in the zone, other than one. */
export async function isTaken(db: Database, zone: string, { other = "" } = {}): Promise<boolean> {
  const { rows } = await sql<{ is_taken: boolean }>`
    SELECT EXISTS (SELECT FROM gateways WHERE (zones IS NULL OR ${zone} = ANY(zones))
      AND id <> ${other} AND id NOT IN (SELECT id FROM draining_gateways)) AS is_taken`.execute(db);
  return rows[0]?.is_taken ?? false;
}

/** The first by name of the zones that gateways name; undefined if they name none. */
export async function findServedZone(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ zone: string | null }>`
    SELECT min(zone) AS zone FROM gateways, unnest(zones) AS zone`.execute(db);
  return rows[0]?.zone ?? undefined;
}

/** The zones that gateways name; undefined if one serves all, or there is none. */
export async function listServedZones(db: Database): Promise<Set<string> | undefined> {
  const rows = await db.selectFrom("gateways").select("zones").execute();
  if (rows.length === 0 || rows.some(({ zones }) => zones === null)) return undefined;
  return new Set(rows.flatMap(({ zones }) => zones ?? []));
}

/** Unless the next gateway of the same name, which has another address, is there already. */
export async function deleteGateway(db: Database, id: string, address: string): Promise<void> {
  await db.deleteFrom("gateways").where("id", "=", id).where("address", "=", address).execute();
}

export const listBeats = (db: Database): Promise<{ id: string; address: string; beat: string }[]> =>
  db.selectFrom("gateways").select(["id", "address", "beat"]).execute();

export async function deleteGatewaysOf(db: Database, beats: string[]): Promise<void> {
  if (beats.length > 0) await db.deleteFrom("gateways").where("beat", "in", beats).execute();
}

/** The address of the gateway that holds a device's lease, if one does, and whether the device waits; undefined when it is not there or is over. */
export const findHolder = (
  db: Database,
  instance: string,
): Promise<{ address: string | null; queued_at: Date | null } | undefined> =>
  db
    .selectFrom("instances")
    .leftJoin("gateways", "gateways.id", "instances.lease_holder")
    .select(["gateways.address", "instances.queued_at"])
    .where("instances.uuid", "=", instance)
    .where("instances.state", "in", activeStates)
    .executeTakeFirst();

/** The address of any gateway. */
export async function findAnyGateway(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom("gateways").select("address").limit(1).executeTakeFirst();
  return row?.address;
}
