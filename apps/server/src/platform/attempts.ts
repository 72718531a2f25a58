import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";

/** Keys held at most; past it the oldest are forgotten, so that a flood of names cannot fill the memory. */
const MAX_KEYS = 20_000;

/** Counts tries by key and refuses those beyond `max` within `windowMs`. */
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

  /** Counts one try; throws TOO_MANY_REQUESTS, with the seconds to wait, when it is one too many. */
  take(key: string): void {
    const now = this.#clock.now();
    const known = this.#windows.get(key);
    const window = known && Math.abs(now - known.since) < this.#windowMs ? known : { since: now, count: 0 };
    // Put last, so that the first key is always the oldest.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    window.count++;
    if (this.#windows.size > MAX_KEYS) this.#windows.delete(this.#windows.keys().next().value ?? "");
    if (window.count <= this.#max) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((window.since + this.#windowMs - now) / 1000));
    throw new AppError("TOO_MANY_REQUESTS", { facts: { retryAfterSeconds } });
  }

  /** One try is not counted after all. */
  giveBack(key: string): void {
    const window = this.#windows.get(key);
    if (window) window.count--;
  }

  /** A success wipes the slate. */
  forget(key: string): void {
    this.#windows.delete(key);
  }
}
