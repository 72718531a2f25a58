import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteChallengesExpiredBy } from "./passkeys.store.ts";

/** Forgets challenges that have expired. */
export const deleteSpentChallenges: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 10 * 60_000,
  run: ({ db, clock }) => deleteChallengesExpiredBy(db, new Date(clock.now())),
};
