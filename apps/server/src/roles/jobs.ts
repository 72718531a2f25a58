import type { Clock } from "@terrarium/clock";
import { endOverdueInstances, forgetOldKeys } from "../features/instances/instances.jobs.ts";
import { endOldSessions, forgetOldSessions } from "../features/sessions/sessions.jobs.ts";
import type { Database } from "../database/schema.ts";
import type { Logger } from "../platform/log.ts";

const TICK_MS = 1_000;
const HOUR_MS = 3_600_000;

/** Does what is due by the clock. Any number of processes may: each row is moved once. */
export function startJobs({ db, clock, log }: { db: Database; clock: Clock; log: Logger }): { stop(): Promise<void> } {
  const end = new AbortController();
  const every = async (ms: number, work: () => Promise<void>): Promise<void> => {
    while (!end.signal.aborted) {
      await work().catch((error: unknown) => log.error({ err: error }, "a job failed; it is tried again"));
      await clock.sleep(ms, end.signal).catch(() => undefined);
    }
  };
  const running = [
    every(TICK_MS, () => endOverdueInstances(db, clock)),
    every(HOUR_MS, () => endOldSessions(db, clock)),
    every(HOUR_MS, () => forgetOldSessions(db, clock)),
    every(HOUR_MS, () => forgetOldKeys(db, clock)),
  ];
  return {
    async stop() {
      end.abort();
      await Promise.all(running);
    },
  };
}
