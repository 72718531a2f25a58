import type { Clock } from "./clock.ts";

/**
 * Runs `work` whenever `ms` milliseconds have passed since its last run ended, until the signal aborts; resolves when the last run has
 * ended. The first error of `work` rejects and ends the loop, so work that should go on after errors must catch them.
 */
export async function every(
  clock: Clock,
  ms: number,
  work: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(ms, signal).catch(() => undefined);
    if (!signal.aborted) await work();
  }
}
