import type { Clock } from "@terrarium/clock";
import { endedStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { Sightings } from "../../platform/sightings.ts";
import { updateBootTimes } from "./boot-times.store.ts";
import { BEAT_MS, watchGateways } from "./gateways.ts";
import { deleteKeysBefore } from "./idempotency-keys.store.ts";
import { deleteSomeEnded } from "./instances.store.ts";
import { listUnattended } from "./leases.store.ts";
import { moveInstance } from "./move-instance.ts";

/** For a gateway that starts when the devices' time is nearly over, to claim them. */
const RETURN_MS = 30_000;
const MEASURE_MS = 10 * 60_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A start that is older says little of the next one. */
const MEASURED_MS = 7 * DAY_MS;
/** The most devices that one transaction deletes. */
const DELETED_AT_ONCE = 500;
/** A start that is repeated later than this starts another device. */
const KEY_RETENTION_MS = 24 * HOUR_MS;

/** Ends the devices whose gateway is gone and which no other reaches: without one, a device runs for `keepDevicesMs` at most. */
export function endUnattendedInstances({
  db,
  clock,
  keepDevicesMs,
}: {
  db: Database;
  clock: Clock;
  keepDevicesMs: number;
}): Periodic<unknown> {
  const watch = watchGateways(db, clock);
  const unattended = new Sightings(clock, keepDevicesMs + RETURN_MS);
  return {
    everyMs: BEAT_MS,
    async run() {
      await watch();
      const rows = new Map((await listUnattended(db)).map((row) => [`${row.uuid} ${row.lease_epoch}`, row]));
      for (const key of unattended.lasting([...rows.keys()])) {
        const { uuid, lease_epoch: epoch } = rows.get(key)!;
        await moveInstance(db, { uuid, epoch, event: "fail", reason: "gateway_gone", now: new Date(clock.now()) });
      }
    },
  };
}

/** Tells with each image how long its devices took to start lately. */
export const measureBoots: Periodic<{ db: Database; clock: Pick<Clock, "now"> }> = {
  everyMs: MEASURE_MS,
  run: ({ db, clock }) => updateBootTimes(db, new Date(clock.now() - MEASURED_MS)),
};

/** Removes the keys of starts that nobody repeats any more. */
export const forgetOldKeys: Periodic<{ db: Database; clock: Clock }> = {
  everyMs: HOUR_MS,
  run: ({ db, clock }) => deleteKeysBefore(db, new Date(clock.now() - KEY_RETENTION_MS)),
};

/**
 * Deletes devices that ended longer ago than the setting says, dismissed or not, and their history with them: what was used follows from
 * the history, so neither is of use without the other.
 */
export const deleteOldInstances: Periodic<{ db: Database; clock: Clock; retention: { historyDays: number } }> = {
  everyMs: HOUR_MS,
  async run({ db, clock, retention }) {
    const before = new Date(clock.now() - retention.historyDays * DAY_MS);
    while ((await deleteSomeEnded(db, endedStates, before, DELETED_AT_ONCE)) > 0);
  },
};
