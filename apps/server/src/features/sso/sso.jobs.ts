import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteFlowsExpiredBy } from "./sso.store.ts";

/** Deletes sign-ins that were begun and never finished. */
export const deleteOldFlows: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 10 * 60_000,
  run: ({ db, clock }) => deleteFlowsExpiredBy(db, new Date(clock.now())),
};
