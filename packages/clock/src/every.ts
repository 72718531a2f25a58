import type { Clock } from "./clock.ts";

/**
 * Runs `work` each time `ms` milliseconds have passed since it last finished, until the signal aborts; resolves when it does
 * not run any more. Rejects as soon as `work` does, so work that should go on after a failure handles its own.
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
