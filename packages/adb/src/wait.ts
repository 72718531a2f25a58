/** Settles as the promise does, or rejects with the signal's reason when that aborts first. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Calls `action` when the signal aborts, or at once if it already has. Returns a function that cancels this. */
export function onAbort(signal: AbortSignal | undefined, action: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const abort = () => action(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return () => signal.removeEventListener("abort", abort);
}
