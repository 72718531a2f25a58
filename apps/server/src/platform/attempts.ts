import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";

/** The maximum number of keys; beyond it the oldest are dropped. */
const MAX_KEYS = 20_000;

/**
 * A rate limiter: counts attempts by key and refuses those over `max` within `windowMs`. Each process counts for itself. The keys must be
 * ours: whoever can make up keys can push others out of the map.
 */
export class Attempts {
  readonly #max: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, { since: number; count: number }>();

  constructor({ max, windowMs, clock }: { max: number; windowMs: number; clock: Clock }) {
    this.#max = max;
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /**
   * Counts one attempt.
   * @throws AppError TOO_MANY_REQUESTS, with the seconds to wait, when it is over the limit.
   */
  take(key: string): void {
    const now = this.#clock.monotonic();
    const known = this.#windows.get(key);
    const window = known && now - known.since < this.#windowMs ? known : { since: now, count: 0 };
    // Insert it at the end, so that the first key is always the oldest.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    window.count++;
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? "");
    if (window.count <= this.#max) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((window.since + this.#windowMs - now) / 1000));
    throw new AppError("TOO_MANY_REQUESTS", { facts: { retryAfterSeconds } });
  }
}
