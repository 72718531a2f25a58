import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteProgramSignInsExpiredBy } from "./program-sign-ins.store.ts";

/** Forgets programs that nobody has answered in time. */
export const deleteOldProgramSignIns: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 10 * 60_000,
  run: ({ db, clock }) => deleteProgramSignInsExpiredBy(db, new Date(clock.now())),
};
