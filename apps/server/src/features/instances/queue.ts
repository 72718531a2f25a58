import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { OrganizationRow } from "../organizations/limits.ts";
import { countEnded, listWaiting, lockZone, type Waiting, writePlace } from "./queue.store.ts";

export { listWaiting, type Waiting } from "./queue.store.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** What a start asks for, and whether it would rather wait than be refused. */
interface Asked {
  organization: OrganizationRow;
  /** How many of its devices count, those that wait not. */
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
  const waiting = await listWaiting(trx);
  const own = waiting.filter(({ organization_uuid }) => organization_uuid === organization.uuid);
  const isFull = running >= max;
  const isBehind = waiting.some(
    (other) =>
      other.zone === organization.zone &&
      other.runtime === runtime &&
      (mayQueue || other.made === made) &&
      (other.has_room || other.organization_uuid === organization.uuid),
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

/** Those whose turn it is: of those that are made alike the first that its organization and its zone have room for, unless it is tried already. */
export function nextInQueue(waiting: readonly Waiting[]): Waiting[] {
  const first = new Map<string, Waiting>();
  for (const one of waiting) {
    const kind = kindOf(one);
    if (one.has_room && !one.is_tried && !first.has(kind)) first.set(kind, one);
  }
  return [...first.values()];
}

/** What a gateway that had no room for one has none for either. */
export const kindOf = ({ zone, runtime, made }: Waiting): string => `${zone} ${runtime} ${made}`;

/** Tells those that wait where they stand, and when their turn may come: as fast as devices of this kind have ended within an hour. */
export async function writePlaces(db: Database, now: Date, only?: string): Promise<Waiting[]> {
  const waiting = await listWaiting(db);
  const ended = new Map<string, number>();
  for (const one of waiting) {
    if (only !== undefined && one.uuid !== only) continue;
    const kind = `${one.zone} ${one.runtime}`;
    const rate = ended.get(kind) ?? (await countEnded(db, one, now));
    ended.set(kind, rate);
    await writePlace(db, { uuid: one.uuid, place: one.place, startsAt: startsAt(one.place, rate, now), now });
  }
  return waiting;
}

/** In whole minutes, as it is no more than a guess. */
export function startsAt(place: number, endedInHour: number, now: Date): Date | null {
  if (endedInHour === 0) return null;
  const minutes = Math.ceil(now.getTime() / MINUTE_MS + (place * HOUR_MS) / endedInHour / MINUTE_MS);
  return new Date(minutes * MINUTE_MS);
}
