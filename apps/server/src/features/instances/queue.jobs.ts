import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { moveInstance } from "./move-instance.ts";
import { writePlaces } from "./queue.ts";

const LOOK_MS = 2_000;
/** Nobody waits for a device that they have forgotten. */
const LONGEST_MS = 12 * 60 * 60_000;

/** Tells devices that wait for room where they stand, and ends those that have waited for too long. */
export const watchQueue: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: LOOK_MS,
  async run({ db, clock }) {
    const now = new Date(clock.now());
    for (const { uuid, queued_at } of await writePlaces(db, now))
      if (queued_at.getTime() <= now.getTime() - LONGEST_MS)
        await moveInstance(db, { uuid, event: "fail", reason: "no_slot_available", now });
  },
};
