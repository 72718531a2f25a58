/** The promise, or a rejection with the signal's reason when that aborts first. What the promise does later is ignored. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Calls `action` when the signal aborts, at once if it has; the answer takes that back. */
export function onAbort(signal: AbortSignal | undefined, action: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const abort = () => action(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
