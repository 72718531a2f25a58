import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { listOverdue } from "./instances.store.ts";
import { moveInstance } from "./move-instance.ts";
import { nextStep, START_TIMEOUT_MS } from "./next-step.ts";
import { deleteKeysBefore } from "./start-instance.store.ts";

const AT_ONCE = 500;
/** A start that is repeated later than this starts another device. */
const KEYS_KEPT_MS = 24 * 60 * 60 * 1000;

/** Ends the devices whose time is up: unused too long, run too long, never come up. */
export async function endOverdueInstances(db: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  for (const row of await listOverdue(db, new Date(now), new Date(now - START_TIMEOUT_MS), AT_ONCE)) {
    const step = nextStep(row, now);
    if (step) await moveInstance(db, { uuid: row.uuid, event: step.event, reason: step.reason, now: new Date(now) });
  }
}

/** Removes the keys of starts that nobody repeats any more. */
export const forgetOldKeys = (db: Database, clock: Clock): Promise<void> =>
  deleteKeysBefore(db, new Date(clock.now() - KEYS_KEPT_MS));
