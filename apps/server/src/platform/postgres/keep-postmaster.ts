import type { Clock } from "@terrarium/clock";
import type { Cluster } from "./cluster.ts";
import type { PostmasterFile } from "./postmaster-file.ts";
import { findPostmaster, startPostmaster, stopPostmaster, type StartOptions } from "./postmaster.ts";

const LOOK_EVERY_MS = 500;
const LONGEST_WAIT_MS = 10_000;

/**
 * Starts the server again when it ends without being asked (killed for its memory, a crash that takes all of it down): same data,
 * same address, so the pools above connect again by themselves. `stop` ends the looking, then the server.
 */
export function keepPostmaster(
  cluster: Cluster,
  started: PostmasterFile,
  options: Omit<StartOptions, "signal">,
  onCrash: (outcome: "restarted" | Error) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const looking = look(cluster, { ...options, socketDir: started.socketDir, signal: stopping.signal }, onCrash);
  return {
    stop: async () => {
      stopping.abort();
      await looking;
      // Not the one we started, perhaps.
      const running = await findPostmaster(cluster);
      await stopPostmaster(cluster, running ?? started, options.clock);
    },
  };
}

type KeepOptions = StartOptions & { signal: AbortSignal };

async function look(cluster: Cluster, options: KeepOptions, onCrash: (outcome: "restarted" | Error) => void) {
  const { clock, signal } = options;
  let waitMs = LOOK_EVERY_MS;
  while (await slept(clock, waitMs, signal)) {
    if (await findPostmaster(cluster)) continue;
    try {
      await startPostmaster(cluster, options);
      waitMs = LOOK_EVERY_MS;
      onCrash("restarted");
    } catch (error) {
      if (signal.aborted) return;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      onCrash(error instanceof Error ? error : new Error("PostgreSQL does not start again", { cause: error }));
    }
  }
}

/** False when the signal came first. */
async function slept(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
  return clock.sleep(ms, signal).then(
    () => true,
    () => false,
  );
}
