import type { Clock } from "@terrarium/clock";
import type { Limit } from "./database-rate-limiter.ts";

/** The maximum number of keys; beyond it the oldest are dropped. */
const MAX_KEYS = 20_000;

/**
 * A rate limiter of this process, which counts attempts by key in memory, at once. The keys must be ours: whoever can make up keys can
 * push others out of the map.
 */
export class MemoryRateLimiter {
  readonly #limit: Omit<Limit, "name">;
  readonly #clock: Clock;
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor(clock: Clock, limit: Omit<Limit, "name">) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts an attempt, and returns whether it is within the limit. */
  take(key: string): boolean {
    const now = this.#clock.monotonic();
    const known = this.#windows.get(key);
    const window = known && now - known.since < this.#limit.windowMs ? known : { since: now, count: 0 };
    // Insert it at the end, so that the first key is always the oldest.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    window.count++;
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? "");
    return window.count <= this.#limit.max;
  }
}
