import { activeStates, AppError, type Instance } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { extendRun } from "./announce-stops.store.ts";
import { checkInstance, type InstanceRight, mayInstance } from "./instances.policy.ts";
import { findInstance, findNewestInstance, findParticipation, type InstanceRow } from "./instances.store.ts";
import { moveInstance } from "./move-instance.ts";
import { presentInstance } from "./present-instance.ts";
import { iceServersFor, type TurnSettings } from "./turn.ts";
import type { FeatureDeps } from "../deps.ts";

const MINUTE_MS = 60_000;

export interface InstanceDeps extends FeatureDeps {
  accessTokens: AccessTokens;
  /** Who relays video; nobody by default. */
  turn?: TurnSettings | undefined;
}

/** A device the actor has this right to and which is not over. */
export const getInstance = async (
  { db }: Pick<InstanceDeps, "db">,
  actor: Actor,
  uuid: string,
  right: InstanceRight,
): Promise<InstanceRow> => checked(actor, right, await findInstance(db, uuid));

function checked(actor: Actor, right: InstanceRight, row: InstanceRow | undefined): InstanceRow {
  checkInstance(actor, right, row);
  if (row.state === "DELETED")
    throw new AppError("INSTANCE_ENDED", { details: row.recipe_uuid ? { recipe_uuid: row.recipe_uuid } : undefined });
  return row;
}

/**
 * A device that the actor may see: also one in whose live session they take part. Of that they learn nothing about its recipe, and cannot
 * save it.
 */
export async function seeInstance({ db }: Pick<InstanceDeps, "db">, actor: Actor, uuid: string): Promise<InstanceRow> {
  const row = await findInstance(db, uuid);
  if (!row || !(await takesPart(db, actor, "see", row))) return checked(actor, "see", row);
  return { ...row, recipe_uuid: null, recipe_name: null, can_save: false, save: null };
}

/** Whether the actor owes this right to the device's live session alone. */
const takesPart = async (db: Database, actor: Actor, right: InstanceRight, row: InstanceRow): Promise<boolean> =>
  !mayInstance(actor, right, row) && (await findParticipation(db, row.uuid, actor.uuid)) !== undefined;

/** Asks for the end of a device. A device that is ending already answers as it is, so that a repeated call does no harm. */
export async function stopInstance(
  deps: InstanceDeps,
  actor: Actor,
  uuid: string,
  origin: string,
  by: By,
): Promise<Instance> {
  const row = await getInstance(deps, actor, uuid, "stop");
  const moved = await moveFor(deps, actor, row, "stop", by);
  if (moved) return presentInstance({ ...row, ...moved }, origin);
  const now = await getInstance(deps, actor, uuid, "stop");
  if (now.state !== "STOPPING" && now.state !== "DELETING")
    throw new AppError("INSTANCE_NOT_RUNNING", { facts: { state: now.state } });
  return presentInstance(now, origin);
}

/** Takes a device that ended by itself off the lists. */
export async function dismissInstance(deps: InstanceDeps, actor: Actor, uuid: string, by: By): Promise<void> {
  const row = await getInstance(deps, actor, uuid, "dismiss");
  if (!(await moveFor(deps, actor, row, "dismiss", by))) throw new AppError("INSTANCE_NOT_DISMISSABLE");
}

/** Lets an online device run on for some minutes from now, whatever its timeouts say. @throws AppError INSTANCE_NOT_ONLINE */
export async function extendInstance(
  { db, clock, audit }: InstanceDeps,
  actor: Actor,
  { uuid, minutes, origin }: { uuid: string; minutes: number; origin: string },
  by: By,
): Promise<Instance> {
  const row = await getInstance({ db }, actor, uuid, "extend");
  const extended = await transaction(db, async (trx) => {
    const changed = await extendRun(trx, uuid, minutes * MINUTE_MS, new Date(clock.now()));
    if (!changed) throw new AppError("INSTANCE_NOT_ONLINE");
    const { organization_uuid: organization } = row;
    const subject = { kind: "instance", uuid } as const;
    await audit.record(trx, by, { action: "instance.extend", subject, organization, details: { minutes } });
    return changed;
  });
  return presentInstance({ ...row, ...extended }, origin);
}

/** Moves a device as somebody asks, and records it; undefined if its state does not take the event. */
const moveFor = (
  { db, clock, audit }: InstanceDeps,
  actor: Actor,
  { uuid, organization_uuid: organization }: InstanceRow,
  event: "stop" | "dismiss",
  by: By,
) =>
  transaction(db, async (trx) => {
    const moved = await moveInstance(trx, { uuid, event, now: new Date(clock.now()), actor: actor.uuid });
    if (moved)
      await audit.record(trx, by, { action: `instance.${event}`, subject: { kind: "instance", uuid }, organization });
    return moved;
  });

/**
 * A key to the display of one device, for its owner and for who takes part in its live session; without an identifier, of the actor's
 * newest.
 */
export async function openDisplay(deps: InstanceDeps, actor: Actor, uuid: string | undefined) {
  const { db, accessTokens, turn, clock } = deps;
  const found = uuid ? await findInstance(db, uuid) : await findNewestInstance(db, actor.uuid, activeStates);
  const isParticipant = found !== undefined && (await takesPart(db, actor, "display", found));
  const row = isParticipant ? found : checked(actor, "display", found);
  if (!activeStates.includes(row.state)) throw new AppError("INSTANCE_NOT_RUNNING", { facts: { state: row.state } });
  const role = isParticipant ? "participant" : "owner";
  const { uuid: instance } = row;
  const token = await accessTokens.issue({ instance, user: actor.uuid, role, credential: actor.credential });
  return turn ? { ...token, ice_servers: iceServersFor(turn, actor.uuid, clock.now()) } : token;
}
