import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { type FullGroup, fullGroups } from "../groups/allocation.ts";
import { lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import { type Claimer, type ClaimedInstance, claimInstances } from "./leases.store.ts";
import { countEnded, findWaiting, lockZone, type Standing, type WaitingRow, writeStandings } from "./queue.store.ts";
import { countRunning } from "./start-instance.store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Nobody waits for a device that they have forgotten. */
export const LONGEST_WAIT_MS = 12 * HOUR_MS;

/** A device that waits. */
export interface Waiting extends WaitingRow {
  /** It waits for room in this group, too. */
  full_group: FullGroup | undefined;
}

/** What waits, or that of a zone and of an organization: next first. */
export async function listWaiting(db: Database, only?: Parameters<typeof findWaiting>[1]): Promise<Waiting[]> {
  const rows = await findWaiting(db, only);
  const fullFor = await fullGroups(db, rows);
  return rows.map((row) => {
    const full_group = fullFor(row);
    return {
      ...row,
      full_group,
      has_room: row.has_room && !full_group,
      is_own_limit: row.is_own_limit || !!full_group,
    };
  });
}

/** What devices need of a machine: those that are made alike need the same. */
type Made = Pick<Waiting, "runtime" | "artefact" | "hardware_profile">;
const madeOf = ({ runtime, artefact, hardware_profile }: Made) => `${runtime} ${artefact} ${hardware_profile}`;

/** What a start asks for, and whether it would rather wait than be refused. */
interface Asked {
  organization: OrganizationRow;
  /** For whose groups it counts; undefined for nobody's. */
  user: string | undefined;
  /** How many devices of the organization count; not those that wait. */
  running: number;
  made: Made;
  mayQueue: boolean;
}

/**
 * Whether a start has to wait: as its organization runs as many devices as it may, or a group those that it is allocated, or as others wait
 * for the same machines, whom it does not overtake. One that does not want to wait is behind those alone that are made alike: others may need
 * what no machine has.
 * @throws AppError TOO_MANY_RUNNING_VDS, GROUP_ALLOCATION_REACHED, NO_SLOT_AVAILABLE if it does not want to, or as many of its organization
 * wait as may run
 */
export async function checkTurn(
  trx: Database,
  { organization, user, running, made, mayQueue }: Asked,
): Promise<"now" | "later"> {
  const max = organization.instances_max;
  const tooMany = () => new AppError("TOO_MANY_RUNNING_VDS", { facts: { running, max } });
  const waiting = await listWaiting(trx, { zone: organization.zone, organization_uuid: organization.uuid });
  const own = waiting.filter((one) => one.organization_uuid === organization.uuid && !one.is_tried);
  const isFull = running >= max;
  const isBehind = waiting.some(
    (other) =>
      other.zone === organization.zone &&
      other.runtime === made.runtime &&
      (mayQueue || madeOf(other) === madeOf(made)) &&
      // Who waits for a group of theirs is in nobody else's way.
      (other.has_room || other.is_tried || (other.organization_uuid === organization.uuid && !other.full_group)),
  );
  const group = user && (await fullGroupOf(trx, organization.uuid, user));
  if (!isFull && !group && !isBehind) return "now";
  if (!mayQueue) {
    if (isFull) throw tooMany();
    throw group ? new AppError("GROUP_ALLOCATION_REACHED", { facts: { ...group } }) : new AppError("NO_SLOT_AVAILABLE");
  }
  if (own.length >= max) throw tooMany();
  return "later";
}

const fullGroupOf = async (trx: Database, organization_uuid: string, user_uuid: string) => {
  const who = { organization_uuid, user_uuid };
  return (await fullGroups(trx, [who]))(who);
};

/** Whether the operator's limit of a zone admits another device. @throws AppError NO_SLOT_AVAILABLE if not, and it does not want to wait */
export async function checkZoneLimit(trx: Database, zone: string, mayQueue: boolean): Promise<"now" | "later"> {
  const limit = await lockZone(trx, zone);
  if (!limit || limit.count < limit.max) return "now";
  if (!mayQueue) throw new AppError("NO_SLOT_AVAILABLE");
  return "later";
}

/**
 * Those whose turn it is: of those that are made alike the first that its organization, its groups and its zone have room for, unless one of
 * them is tried here already, whom the next would overtake.
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
    if (await fullGroupOf(trx, uuid, next.user_uuid)) return [];
    return await claimInstances(trx, { ...claimer, turn: next.uuid }, 1);
  });

/** What a gateway that had no room for one has none for either. */
export const kindOf = (one: Made & Pick<Waiting, "zone">): string => `${one.zone} ${madeOf(one)}`;

/** The same of one that may not have waited yet. */
export const kindOfClaimed = ({ zone, snapshot: { osImage, hardwareProfile } }: ClaimedInstance): string =>
  kindOf({ zone, runtime: osImage.runtime, artefact: osImage.artefact, hardware_profile: hardwareProfile.uuid });

/** Writes for those that wait their place, and when their turn may come: as fast as devices of this kind have ended within an hour. */
export async function writePlaces(db: Database, now: Date): Promise<Waiting[]> {
  const waiting = await listWaiting(db);
  await writeStandings(db, await standingsOf(db, waiting, now), now);
  return waiting;
}

/** Does the same for one that has just begun to wait. */
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

/** In whole minutes, as it is only a guess; null if nobody waits for that long. */
export function startsAt(place: number, endedInHour: number, now: Date): Date | null {
  const ms = (place * HOUR_MS) / endedInHour;
  if (ms > LONGEST_WAIT_MS) return null;
  return new Date(Math.ceil((now.getTime() + ms) / MINUTE_MS) * MINUTE_MS);
}
