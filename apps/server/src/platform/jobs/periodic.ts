import { type Clock, every } from "@terrarium/clock";
import type { Logger } from "../log.ts";

/**
 * Work that comes round: it looks for what is due by the clock. Several processes do it side by side, so it moves a row in one statement,
 * or enqueues a job under a key, and leaves to that job what must be done by one alone.
 */
export interface Periodic<Deps> {
  everyMs: number;
  run: (deps: Deps) => Promise<void>;
}

export interface PeriodicDeps<Deps> {
  clock: Clock;
  log: Logger;
  periodic: readonly Periodic<Deps>[];
  /** What the work is run with. */
  deps: Deps;
}

/** Does each now, and again by its interval. A failure is logged and the next turn comes all the same. `stop` waits for what runs. */
export function startPeriodic<Deps>({ clock, log, periodic, deps }: PeriodicDeps<Deps>): { stop(): Promise<void> } {
  const end = new AbortController();
  const keepDoing = async ({ everyMs, run }: Periodic<Deps>): Promise<void> => {
    const work = () =>
      run(deps).catch((error: unknown) => log.error({ err: error }, "periodic work failed; it is tried again"));
    await work();
    await every(clock, everyMs, work, end.signal);
  };
  const running = periodic.map(keepDoing);
  return {
    async stop() {
      end.abort();
      await Promise.all(running);
    },
  };
}
