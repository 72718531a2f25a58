import type { Clock } from "@terrarium/clock";
import { AppError, type SaveError } from "@terrarium/contract";
import { type Layer, type Machine, SaveTooLargeError } from "@terrarium/runtime";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { FileTooLargeError } from "../../platform/files/file-store.ts";
import { holdLayers } from "../layers/layers.ts";
import { writeWithin } from "../layers/saved-size.ts";
import { lockLimits } from "../organizations/limits.ts";
import { moveInstance } from "./move-instance.ts";
import { findPayer, writeProgress, writeSaved } from "./saved-state.store.ts";

/** A save that takes longer has failed. */
export const SAVE_TIMEOUT_MS = 60 * 60_000;

/** How often progress is written at most. */
const PROGRESS_MS = 500;

/** The device that a gateway saves, under its lease. */
export interface Saving {
  db: Database;
  clock: Clock;
  uuid: string;
  epoch: number;
}

/** Saves a machine, and writes how far that is. @throws the signal's reason; an error after an hour; whatever the machine throws */
export async function storeMachine(saving: Saving, machine: Machine, signal: AbortSignal): Promise<Layer[]> {
  if (!machine.save) throw new Error("this machine cannot be saved");
  const { clock } = saving;
  const done = new AbortController();
  const late = new AbortController();
  clock.sleep(SAVE_TIMEOUT_MS, done.signal).then(
    () => late.abort(new Error(`the save took more than ${SAVE_TIMEOUT_MS} ms`)),
    () => undefined,
  );
  try {
    return await machine.save({ onProgress: progressOf(saving) }, AbortSignal.any([signal, late.signal]));
  } finally {
    done.abort();
  }
}

/** Progress is not worth waiting for: what comes while a write is on its way, or soon after one, is left out, and so is a failed write. */
function progressOf({ db, clock, uuid, epoch }: Saving): (done: number, total: number) => void {
  let writtenAt = -Infinity;
  let written = 0;
  let isWriting = false;
  return (done, total) => {
    const progress = total > 0 ? Math.min(99, Math.floor((100 * done) / total)) : 0;
    if (isWriting || progress <= written || clock.monotonic() - writtenAt < PROGRESS_MS) return;
    isWriting = true;
    writtenAt = clock.monotonic();
    written = progress;
    writeProgress(db, { uuid, epoch, progress, now: new Date(clock.now()) })
      .catch(() => undefined)
      .finally(() => (isWriting = false));
  };
}

/**
 * In one transaction: the image gets the layers, it and the recipe are READY, and the device is SAVED. Returns false and changes nothing if
 * the device is not SAVING any more, or is another gateway's.
 * @throws TOO_MUCH_SAVED; Error if a layer or the image has been deleted meanwhile
 */
export function finishSave({ db, clock, uuid, epoch }: Saving, layers: readonly Layer[]): Promise<boolean> {
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    const payer = await findPayer(trx, uuid);
    const limits = payer && (await lockLimits(trx, payer));
    const moved = await moveInstance(trx, { uuid, event: "saved", epoch, now });
    if (!moved?.save) return false;
    await holdLayers(trx, layers);
    const { save } = moved;
    const write = () => writeSaved(trx, save, layers, now);
    await (limits ? writeWithin(trx, limits, layers, write) : write());
    return true;
  });
}

/** The error that the owner of a device sees when a save has failed. */
export function saveErrorOf(error: unknown): SaveError {
  if (error instanceof AppError && error.code === "TOO_MUCH_SAVED") return error.code;
  return error instanceof SaveTooLargeError || error instanceof FileTooLargeError ? "SAVE_TOO_LARGE" : "SAVE_FAILED";
}
