import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteSessionsEndedBefore, endSessionsBegunBy } from "./sessions.store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Sessions that ended stay this long, for whoever looks into what happened. */
const SESSION_RETENTION_MS = 30 * DAY_MS;

/** Nobody stays signed in for longer, however often the token is renewed. */
const SESSION_LIFE_MS = 30 * DAY_MS;

/** Ends sessions that are as old as one may get, and what was opened with them. */
export const endOldSessions: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  async run({ db, clock }) {
    const now = clock.now();
    await endSessionsBegunBy(db, new Date(now - SESSION_LIFE_MS), new Date(now));
  },
};

/** Removes sessions that ended long ago. */
export const forgetOldSessions: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteSessionsEndedBefore(db, new Date(clock.now() - SESSION_RETENTION_MS)),
};
