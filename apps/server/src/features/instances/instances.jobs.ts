import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { listOverdue } from "./instances.store.ts";
import { moveInstance } from "./move-instance.ts";
import { nextStep, START_TIMEOUT_MS } from "./next-step.ts";
import { deleteKeysBefore } from "./start-instance.store.ts";

const AT_ONCE = 500;
const HOUR_MS = 60 * 60 * 1000;
/** A start that is repeated later than this starts another device. */
const KEY_RETENTION_MS = 24 * HOUR_MS;

/** Ends the devices whose time is up: unused too long, run too long, never come up. */
export const endOverdueInstances: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 1_000,
  async run({ db, clock }) {
    const now = clock.now();
    for (const row of await listOverdue(db, new Date(now), new Date(now - START_TIMEOUT_MS), AT_ONCE)) {
      const step = nextStep(row, now);
      if (step) await moveInstance(db, { uuid: row.uuid, event: step.event, reason: step.reason, now: new Date(now) });
    }
  },
};

/** Removes the keys of starts that nobody repeats any more. */
export const forgetOldKeys: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteKeysBefore(db, new Date(clock.now() - KEY_RETENTION_MS)),
};
