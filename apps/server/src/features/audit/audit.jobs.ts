import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { deleteBefore, sealRecords } from "./chain.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Appends new records to the hash chain. */
export const sealNewRecords: Periodic<{ db: Database }> = {
  everyMs: 10_000,
  run: ({ db }) => sealRecords(db),
};

/** Deletes records that are older than the setting says. */
export const deleteOldAuditRecords: Periodic<{ db: Database; clock: Clock; retention: { auditDays: number } }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, retention }) {
    await sealRecords(db);
    await deleteBefore(db, new Date(clock.now() - retention.auditDays * DAY_MS));
  },
};
