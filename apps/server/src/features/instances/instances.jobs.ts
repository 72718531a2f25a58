import type { Clock } from "@terrarium/clock";
import { endedStates } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { Periodic } from "../../platform/jobs/periodic.ts";
import { machineAnswers } from "../../platform/machine-answers.ts";
import { Sightings } from "../../platform/sightings.ts";
import { updateBootTimes } from "./boot-times.store.ts";
import { BEAT_MS, watchGateways } from "./gateways.ts";
import { deleteKeysBefore } from "./idempotency-keys.store.ts";
import { deleteSomeEnded } from "./instances.store.ts";
import { listUnattended } from "./leases.store.ts";
import { moveInstance } from "./move-instance.ts";

/** For a gateway that starts when the devices' time is nearly over, to claim them. */
const RETURN_MS = 30_000;
/** How long the machine of a gateway that is gone must not answer either: with the looks between, all is over within half a minute. */
const LOST_MS = 3 * BEAT_MS;
const MEASURE_MS = 10 * 60_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** A start that is older says little of the next one. */
const MEASURED_MS = 7 * DAY_MS;
/** The most devices that one transaction deletes. */
const DELETED_AT_ONCE = 500;
/** A start that is repeated later than this starts another device. */
const KEY_RETENTION_MS = 24 * HOUR_MS;

/**
 * Ends the devices whose gateway is gone and which no other reaches. One that let go of them is waited for as long as they run without it,
 * and so is one whose machine answers: it may be held up, or about to be restarted. With a machine that is gone its devices are.
 */
export function endUnattendedInstances({
  db,
  clock,
  keepDevicesMs,
  isThere = machineAnswers,
}: {
  db: Database;
  clock: Clock;
  keepDevicesMs: number;
  /** Whether there is a machine at a gateway's address. */
  isThere?: (address: string) => Promise<boolean>;
}): Periodic<unknown> {
  const watch = watchGateways(db, clock);
  const unattended = new Sightings(clock, keepDevicesMs + RETURN_MS);
  const lost = new Sightings(clock, LOST_MS);
  /** Of gateways that are up, and of those that were and have left devices behind. */
  let addresses = new Map<string, string>();
  return {
    everyMs: BEAT_MS,
    async run() {
      const up = await watch();
      const silent: string[] = [];
      const ask = async ([id, address]: [string, string]) => !(await isThere(address)) && silent.push(id);
      await Promise.all([...addresses].filter(([id]) => !up.has(id)).map(ask));
      const gone = new Set<string | null>(lost.lasting(silent));

      const rows = new Map((await listUnattended(db)).map((row) => [`${row.uuid} ${row.lease_epoch}`, row]));
      const holders = new Set([...rows.values()].map((row) => row.lease_holder));
      addresses = new Map([...[...addresses].filter(([id]) => holders.has(id)), ...up]);

      const over = new Set(unattended.lasting([...rows.keys()]));
      for (const [key, { uuid, lease_epoch: epoch, lease_holder }] of rows)
        if (over.has(key) || gone.has(lease_holder))
          await moveInstance(db, { uuid, epoch, event: "fail", reason: "gateway_gone", now: new Date(clock.now()) });
    },
  };
}

/** Updates, for each image, how long its devices took to start lately. */
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
