import type { Clock } from "@terrarium/clock";
import { AppError, type Zone, zones } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { Sightings } from "../../platform/sightings.ts";
import {
  deleteGatewaysOf,
  findAnyGateway,
  findHolder,
  findServedZone,
  isUnserved,
  listBeats,
  listServedZones,
} from "./gateways.store.ts";

export {
  deleteGateway,
  findFound,
  isTaken,
  isUnserved,
  setDraining,
  upsertGateway,
  writeFound,
} from "./gateways.store.ts";
export { listUnattended } from "./leases.store.ts";
export type { GatewayDevice, GatewayFound } from "./instances.tables.ts";

/**
 * Refuses a zone in which no device could run. While no gateway is up at all, as during a restart, devices wait for the first.
 * @throws AppError ZONE_NOT_AVAILABLE
 */
export async function checkZone(db: Database, zone: string): Promise<void> {
  if (await isUnserved(db, zone)) throw new AppError("ZONE_NOT_AVAILABLE", { facts: { zone } });
}

/**
 * Refuses to start a device that no gateway would take, as none serves its zone or all that do drain.
 * @throws AppError ZONE_NOT_AVAILABLE
 */
export async function checkTaken(db: Database, zone: string): Promise<void> {
  if (await isUnserved(db, zone, { taking: true })) throw new AppError("ZONE_NOT_AVAILABLE", { facts: { zone } });
}

/** The zone that is wanted, or another in which devices can run if they cannot in that one. */
export const servedZone = async (db: Database, wanted: string): Promise<string> =>
  (await isUnserved(db, wanted)) ? ((await findServedZone(db)) ?? wanted) : wanted;

/** The zones in which devices can run; all of them while that is not known, as no gateway is up, or none that names one of these. */
export async function servedZones(db: Database): Promise<readonly Zone[]> {
  const named = await listServedZones(db);
  const served = zones.filter((zone) => named?.has(zone));
  return served.length > 0 ? served : zones;
}

/** How often a gateway shows that it is alive, and looks whether others are. */
export const BEAT_MS = 3_000;
/** A gateway that is not heard of for three beats loses its devices. */
const LEASE_MS = 3 * BEAT_MS;

/**
 * Forgets gateways that are gone, which frees their devices for others; call it every `BEAT_MS`. A gateway that was only slow is back with
 * its next beat, and still holds the devices that nobody has claimed since. Resolves with the addresses of those that are up.
 */
export function watchGateways(db: Database, clock: Clock): () => Promise<Map<string, string>> {
  const beats = new Sightings(clock, LEASE_MS);
  return async () => {
    const rows = await listBeats(db);
    const gone = new Set(beats.lasting(rows.map(({ beat }) => beat)));
    await deleteGatewaysOf(db, [...gone]);
    return new Map(rows.filter(({ beat }) => !gone.has(beat)).map(({ id, address }) => [id, address]));
  };
}

/** A start is answered before a gateway has claimed the row; whoever opens the display at once waits for that, this long at most. */
const CLAIM_TIMEOUT_MS = 3_000;
/** Between looks. A claim follows the row by some ten milliseconds. */
const CLAIM_POLL_MS = 15;

/**
 * The address of the gateway that looks after a device, now or within 3 s; undefined when none does, at once of one that waits for room.
 * For a device that is over or was never there it is any gateway: on a socket it can say so, and a player stops asking. Rejects with the
 * signal's reason.
 */
export async function findGatewayOf(
  db: Database,
  clock: Clock,
  instance: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const deadline = clock.monotonic() + CLAIM_TIMEOUT_MS; ; await clock.sleep(CLAIM_POLL_MS, signal)) {
    const holder = await findHolder(db, instance);
    if (holder === undefined) return await findAnyGateway(db);
    if (holder.address !== null || holder.queued_at !== null || clock.monotonic() >= deadline)
      return holder.address ?? undefined;
  }
}
