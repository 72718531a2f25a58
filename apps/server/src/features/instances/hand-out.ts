import type { Database } from "../../database/schema.ts";
import { findWarm, takeOver, type Taken } from "./hand-out.store.ts";
import { moveInstance } from "./move-instance.ts";

/**
 * Gives a device that has booted ahead of time, and that nobody has used, to whoever starts its recipe: from here on it has the name,
 * owner, limits of time and history of a device that has come online in this moment. Undefined if there is none that was made as this one
 * would be, in its zone, at a gateway that is up.
 */
export async function handOut(trx: Database, wanted: Taken): Promise<string | undefined> {
  const uuid = await findWarm(trx, wanted);
  if (uuid === undefined) return undefined;
  await takeOver(trx, uuid, wanted);
  // In the same transaction, so that it is never online without an owner.
  const moved = await moveInstance(trx, { uuid, event: "booted", actor: wanted.owner_uuid, now: wanted.now });
  if (!moved) throw new Error("a warm device that was locked has moved");
  return uuid;
}
