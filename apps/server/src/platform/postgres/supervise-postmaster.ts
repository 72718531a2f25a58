import type { Clock } from "@terrarium/clock";
import type { Cluster } from "./cluster.ts";
import type { PostmasterFile } from "./postmaster-file.ts";
import { findPostmaster, startPostmaster, stopPostmaster, type StartOptions } from "./postmaster.ts";

const CHECK_EVERY_MS = 500;
const MAX_BACKOFF_MS = 10_000;

/**
 * Supervises the server: restarts it when it ends unexpectedly, for instance killed for lack of memory. It comes back with the same
 * data at the same address, so connection pools reconnect by themselves. `stop` ends the supervision, then the server.
 */
export function supervisePostmaster(
  cluster: Cluster,
  started: PostmasterFile,
  options: Omit<StartOptions, "signal">,
  onCrash: (outcome: "restarted" | Error) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const watching = watch(cluster, { ...options, socketDir: started.socketDir, signal: stopping.signal }, onCrash);
  return {
    stop: async () => {
      stopping.abort();
      await watching;
      // It may have been restarted since.
      const running = await findPostmaster(cluster);
      await stopPostmaster(cluster, running ?? started, options.clock);
    },
  };
}

type WatchOptions = StartOptions & { signal: AbortSignal };

async function watch(cluster: Cluster, options: WatchOptions, onCrash: (outcome: "restarted" | Error) => void) {
  const { clock, signal } = options;
  let waitMs = CHECK_EVERY_MS;
  while (await slept(clock, waitMs, signal)) {
    if (await findPostmaster(cluster)) continue;
    try {
      await startPostmaster(cluster, options);
      waitMs = CHECK_EVERY_MS;
      onCrash("restarted");
    } catch (error) {
      if (signal.aborted) return;
      waitMs = Math.min(waitMs * 2, MAX_BACKOFF_MS);
      onCrash(error instanceof Error ? error : new Error("PostgreSQL could not be restarted", { cause: error }));
    }
  }
}

/** Sleeps; false when the signal aborted first. */
async function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, signal).then(
    () => true,
    () => false,
  );
}
