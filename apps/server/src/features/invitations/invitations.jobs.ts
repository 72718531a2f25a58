import type { Clock } from "@terrarium/clock";
import { limits } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteExpiredBefore } from "./invitations.store.ts";

const HOUR_MS = 60 * 60 * 1000;

/** An expired invitation is retained for as long again, so that its link can say whom to ask for another. */
export const deleteOldInvitations: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteExpiredBefore(db, new Date(clock.now() - limits.invitationDays * 24 * HOUR_MS)),
};
