import { endedStates, type InstanceEvent, type SaveError, stateAfter, statesThatTake } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { InstanceSaveColumn } from "./instances.tables.ts";
import { type MovedInstance, writeMove } from "./move-instance.store.ts";
import { undoSave } from "./saved-state.store.ts";

export type { InstanceFields } from "./instances.store.ts";
export { INSTANCE_CHANGED } from "./move-instance.store.ts";

export interface Move {
  uuid: string;
  event: InstanceEvent;
  now: Date;
  /** Only the gateway that holds this epoch of the lease; whoever lost it changes nothing. */
  epoch?: number | undefined;
  /** Only while it is nobody's: who starts it while this waits has it. */
  isWarm?: true | undefined;
  reason?: string | undefined;
  /** Who asked; none when it came about by itself. */
  actor?: string | undefined;
  machine?: { adb: { host: string; port: number }; canSave: boolean } | undefined;
  /** With the event `save`. */
  save?: InstanceSaveColumn | undefined;
  /** With the event `saveFailed`. */
  saveError?: SaveError | undefined;
}

/**
 * The only writer of a device's state. It moves when the present state takes the event, appends to the history and
 * notifies every process, in one statement. Returns what was moved, or undefined if somebody moved first. If the device or its save
 * fails while it is being saved, what it was to be saved into is as before in the same transaction.
 */
export async function moveInstance(db: Database, move: Move): Promise<MovedInstance | undefined> {
  const { event } = move;
  const to = stateAfter(event);
  const transition = { event, from: statesThatTake(event), to, isEnd: endedStates.includes(to) };
  if (event !== "fail" && event !== "saveFailed") return writeMove(db, transition, move);
  return transaction(db, async (trx) => {
    const moved = await writeMove(trx, transition, move);
    if (moved?.from_state === "SAVING" && moved.save) await undoSave(trx, moved.save, move.now);
    return moved;
  });
}
