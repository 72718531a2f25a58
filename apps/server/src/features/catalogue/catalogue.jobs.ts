import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteGoneBefore } from "./catalogue-changes.store.ts";

const HOUR_MS = 60 * 60 * 1000;
/** Whoever was cut off for longer reads the lists again. */
const GONE_RETENTION_MS = 24 * HOUR_MS;

/** Deletes the records of who lost which recipe, when nobody needs to be notified again. */
export const forgetGone: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteGoneBefore(db, new Date(clock.now() - GONE_RETENTION_MS)),
};
