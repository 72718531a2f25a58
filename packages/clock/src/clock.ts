/** The source of time. It is injected, so that tests can control it; nothing else calls `Date.now` or `setTimeout` for a rule. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC, for what has a date. An operator or NTP may set it forward or back at any time. */
  now(): number;
  /** Milliseconds since some moment, for durations: it never goes back or jumps, and means nothing to another process. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason if it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** How many milliseconds an operator has moved `now` forward in total. Only clocks that can be moved have it. */
  movedMs?(): number;
  /** Calls `listener` each time an operator moves `now`. Returns a function that removes it. Only clocks that can be moved have it. */
  onMoved?(listener: () => void): () => void;
}
