import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { moveInstance } from "./move-instance.ts";
import { LONGEST_WAIT_MS, writePlaces } from "./queue.ts";

const LOOK_MS = 2_000;

/** Updates the place in the queue of devices that wait for room, and ends those that have waited too long, or may not start any more. */
export const watchQueue: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: LOOK_MS,
  async run({ db, clock }) {
    const now = new Date(clock.now());
    for (const { uuid, queued_at, lost } of await writePlaces(db, now)) {
      const isForgotten = queued_at.getTime() <= now.getTime() - LONGEST_WAIT_MS;
      const reason = lost ?? (isForgotten ? "no_slot_available" : undefined);
      if (reason) await moveInstance(db, { uuid, event: "fail", reason, now });
    }
  },
};
