import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deletePuzzlesExpiredBy } from "./bot-check.store.ts";

/** Forgets puzzles that have expired. */
export const deleteSpentPuzzles: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 10 * 60_000,
  run: ({ db, clock }) => deletePuzzlesExpiredBy(db, new Date(clock.now())),
};
