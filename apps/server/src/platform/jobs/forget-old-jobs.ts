import type { Clock } from "@terrarium/clock";
import type { QueryExecutorProvider } from "kysely";
import { forgetJobs } from "./job-rows.ts";
import type { Periodic } from "./periodic.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A key refuses its repetition for at least so long. */
const DONE_KEPT_MS = 7 * DAY_MS;
/** Somebody should have looked by then. */
const DEAD_KEPT_MS = 90 * DAY_MS;

export const forgetOldJobs: Periodic<{ db: QueryExecutorProvider; clock: Clock }> = {
  everyMs: 60 * 60 * 1000,
  async run({ db, clock }) {
    await forgetJobs(db, "done", new Date(clock.now() - DONE_KEPT_MS));
    await forgetJobs(db, "dead", new Date(clock.now() - DEAD_KEPT_MS));
  },
};
