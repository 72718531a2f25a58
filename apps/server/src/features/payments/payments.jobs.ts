import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteStripeEvents } from "./payments.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Stripe tells the same for three days at most. */
const KEPT_DAYS = 30;

/** Forgets which events Stripe has told, when it does not tell them any more. */
export const deleteOldStripeEvents: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: DAY_MS,
  run: ({ db, clock }) => deleteStripeEvents(db, new Date(clock.now() - KEPT_DAYS * DAY_MS)),
};
