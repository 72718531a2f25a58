import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import { type Claimer, type ClaimedInstance, claimInstances } from "./leases.store.ts";
import { countEnded, listWaiting, lockZone, type Standing, type Waiting, writeStandings } from "./queue.store.ts";
import { countRunning } from "./start-instance.store.ts";

export { listWaiting, type Waiting } from "./queue.store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nobody waits for a device that they have forgotten. */
export const LONGEST_WAIT_MS = 12 * HOUR_MS;

/** What a start asks for, and whether it would rather wait than be refused. */
interface Asked {
  organization: OrganizationRow;
  /** How many of its devices count; not those that wait. */
  running: number;
  runtime: string;
  /** As `Waiting` has it. */
  made: string;
  mayQueue: boolean;
}

/** What `Waiting` calls made alike. */
export const madeOf = (artefact: string, hardwareProfile: string): string => `${artefact} ${hardwareProfile}`;

/**
 * Whether a start has to wait: as its organization runs as many devices as it may, or as others wait for the same machines, whom it does not
 * overtake. One that does not want to wait is behind those alone that are made alike: others may need what no machine has.
 * @throws AppError TOO_MANY_RUNNING_VDS, NO_SLOT_AVAILABLE if it does not want to, or as many of its organization wait as may run
 */
export async function checkTurn(
  trx: Database,
  { organization, running, runtime, made, mayQueue }: Asked,
): Promise<"now" | "later"> {
  const max = organization.instances_max;
  const tooMany = () => new AppError("TOO_MANY_RUNNING_VDS", { facts: { running, max } });
  const waiting = await listWaiting(trx, { zone: organization.zone, organization_uuid: organization.uuid });
  const own = waiting.filter((one) => one.organization_uuid === organization.uuid && !one.is_tried);
  const isFull = running >= max;
  const isBehind = waiting.some(
    (other) =>
      other.zone === organization.zone &&
      other.runtime === runtime &&
      (mayQueue || other.made === made) &&
      (other.has_room || other.is_tried || other.organization_uuid === organization.uuid),
  );
  if (!isFull && !isBehind) return "now";
  if (!mayQueue) throw isFull ? tooMany() : new AppError("NO_SLOT_AVAILABLE");
  if (own.length >= max) throw tooMany();
  return "later";
}

/** Whether the operator's limit of a zone admits another device. @throws AppError NO_SLOT_AVAILABLE if not, and it does not want to wait */
export async function checkZoneLimit(trx: Database, zone: string, mayQueue: boolean): Promise<"now" | "later"> {
  const limit = await lockZone(trx, zone);
  if (!limit || limit.count < limit.max) return "now";
  if (!mayQueue) throw new AppError("NO_SLOT_AVAILABLE");
  return "later";
}

/**
 * Those whose turn it is: of those that are made alike the first that its organization and its zone have room for, unless one of them is
 * tried here already, whom the next would overtake.
 */
export function nextInQueue(waiting: readonly Waiting[], isOurs: (uuid: string) => boolean): Waiting[] {
  const tried = new Set(waiting.filter(({ uuid }) => isOurs(uuid)).map(kindOf));
  const first = new Map<string, Waiting>();
  for (const one of waiting) {
    const kind = kindOf(one);
    if (one.has_room && !one.is_tried && !tried.has(kind) && !first.has(kind)) first.set(kind, one);
  }
  return [...first.values()];
}

/** Leases a device whose turn it is, if there still is room for it: it takes turns with starts at its organization and its zone. */
export const claimQueued = (db: Database, claimer: Claimer, next: Waiting): Promise<ClaimedInstance[]> =>
  transaction(db, async (trx) => {
    const { uuid, instances_max } = await lockLimits(trx, next.organization_uuid);
    const zone = await lockZone(trx, next.zone);
    if ((zone && zone.count >= zone.max) || (await countRunning(trx, uuid)) >= instances_max) return [];
    return await claimInstances(trx, { ...claimer, turn: next.uuid }, 1);
  });

/** What a gateway that had no room for one has none for either. */
export const kindOf = ({ zone, runtime, made }: Pick<Waiting, "zone" | "runtime" | "made">): string =>
  `${zone} ${runtime} ${made}`;

/** The same of one that may not have waited yet. */
export const kindOfClaimed = ({ zone, snapshot: { osImage, hardwareProfile } }: ClaimedInstance): string =>
  kindOf({ zone, runtime: osImage.runtime, made: madeOf(osImage.artefact, hardwareProfile.uuid) });

/** Tells those that wait where they stand, and when their turn may come: as fast as devices of this kind have ended within an hour. */
export async function writePlaces(db: Database, now: Date): Promise<Waiting[]> {
  const waiting = await listWaiting(db);
  await writeStandings(db, await standingsOf(db, waiting, now), now);
  return waiting;
}

/** Tells one that has just begun to wait. */
export async function writePlaceOf(
  db: Database,
  { uuid, ...of }: { uuid: string; zone: string; organization_uuid: string },
  now: Date,
): Promise<void> {
  const waiting = (await listWaiting(db, of)).filter((one) => one.uuid === uuid);
  await writeStandings(db, await standingsOf(db, waiting, now), now);
}

async function standingsOf(db: Database, waiting: readonly Waiting[], now: Date): Promise<Standing[]> {
  const ended = new Map<string, number>();
  const standings: Standing[] = [];
  for (const one of waiting) {
    const kind = `${one.zone} ${one.runtime}`;
    const rate = ended.get(kind) ?? (await countEnded(db, one, now));
    ended.set(kind, rate);
    standings.push({ uuid: one.uuid, place: one.place, startsAt: startsAt(one.place, rate, now) });
  }
  return standings;
}

/** In whole minutes, as it is no more than a guess; null if nobody waits for so long. */
export function startsAt(place: number, endedInHour: number, now: Date): Date | null {
  const ms = (place * HOUR_MS) / endedInHour;
  if (ms > LONGEST_WAIT_MS) return null;
  return new Date(Math.ceil((now.getTime() + ms) / MINUTE_MS) * MINUTE_MS);
}
