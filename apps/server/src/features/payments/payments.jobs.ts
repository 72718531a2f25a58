import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteStripeEvents } from "./payments.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Stripe repeats an event for three days at most. */
const RETENTION_DAYS = 30;

/** Deletes the records of Stripe's events that it will not repeat any more. */
export const deleteOldStripeEvents: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: DAY_MS,
  run: ({ db, clock }) => deleteStripeEvents(db, new Date(clock.now() - RETENTION_DAYS * DAY_MS)),
};
