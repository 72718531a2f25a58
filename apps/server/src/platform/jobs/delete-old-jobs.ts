import type { Clock } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import { deleteEndedJobs } from "./job-rows.ts";
import type { Periodic } from "./periodic.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** For this long a key prevents a second job. */
const DONE_RETENTION_MS = 7 * DAY_MS;
/** Time for an operator to look at them. */
const DEAD_RETENTION_MS = 90 * DAY_MS;

/** Deletes jobs some time after they ended. */
export const deleteOldJobs: Periodic<{ db: QueryExecutorProvider; clock: Clock }> = {
  everyMs: 60 * 60 * 1000,
  async run({ db, clock }) {
    await deleteEndedJobs(db, "done", new Date(clock.now() - DONE_RETENTION_MS));
    await deleteEndedJobs(db, "dead", new Date(clock.now() - DEAD_RETENTION_MS));
  },
};
