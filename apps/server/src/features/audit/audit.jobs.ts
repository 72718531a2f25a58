import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteSomeBefore } from "./audit.store.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Deletes records that are older than the setting says. */
export const deleteOldAuditRecords: Periodic<{ db: Database; clock: Clock; retention: { auditDays: number } }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, retention }) {
    const before = new Date(clock.now() - retention.auditDays * DAY_MS);
    while ((await deleteSomeBefore(db, before)) > 0);
  },
};
