import type { Clock } from "@terrarium/clock";
import { limits } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteOldDeliveries } from "./deliveries.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * The most deliveries that are retained for an endpoint, so that one which is down does not fill the database. What failed can be sent
 * again.
 */
const RETAINED = { delivered: 10_000, others: 100_000 };

/** Trims the log of each endpoint to some days and rows; of what waits for one that is down, the latest are retained. */
export const deleteOldWebhooks: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: 5 * 60 * 1000,
  run: ({ db, clock }) => deleteOldDeliveries(db, new Date(clock.now() - limits.webhookLogDays * DAY_MS), RETAINED),
};
