import type { Clock } from "./clock.ts";

/** Runs `work` with a signal that aborts with `signal`, and after `timeoutMs` too. */
export async function within<T>(
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const done = new AbortController();
  const tooLate = new AbortController();
  clock.sleep(timeoutMs, AbortSignal.any([done.signal, signal])).then(
    () => tooLate.abort(new Error(`no answer in ${timeoutMs} ms`)),
    () => undefined,
  );
  try {
    return await work(AbortSignal.any([signal, tooLate.signal]));
  } finally {
    done.abort();
  }
}
