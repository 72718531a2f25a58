import type { Clock } from "@terrarium/clock";
import type { Logger } from "../log.ts";

/**
 * Work that is done at an interval: it looks for rows that are due by the clock. Several processes run it concurrently, so it must
 * update a row in one statement, or enqueue a job with a key and leave to that job what only one process may do.
 */
export interface Periodic<Deps> {
  everyMs: number;
  run: (deps: Deps) => Promise<void>;
}

export interface PeriodicDeps<Deps> {
  clock: Clock;
  log: Logger;
  periodic: readonly Periodic<Deps>[];
  /** Passed to each run. */
  deps: Deps;
}

/**
 * Runs each once at the start, then at its interval, and at once when the clock was moved. Failures are logged and do not end the schedule.
 * `stop` waits for running work.
 */
export function startPeriodic<Deps>({ clock, log, periodic, deps }: PeriodicDeps<Deps>): { stop(): Promise<void> } {
  const end = new AbortController();
  /** Aborts when the clock is moved: whoever sleeps wakes, and whoever works by the old date works again after. */
  let moved = new AbortController();
  const repeat = async ({ everyMs, run }: Periodic<Deps>): Promise<void> => {
    const work = () =>
      run(deps).catch((error: unknown) => log.error({ err: error }, "periodic work failed and will be retried"));
    while (!end.signal.aborted) {
      const { signal } = moved;
      await work();
      await clock.sleep(everyMs, AbortSignal.any([end.signal, signal])).catch(() => undefined);
    }
  };
  const unfollow = clock.onMoved?.(() => {
    const before = moved;
    moved = new AbortController();
    before.abort();
  });
  const running = periodic.map(repeat);
  return {
    async stop() {
      unfollow?.();
      end.abort();
      await Promise.all(running);
    },
  };
}
