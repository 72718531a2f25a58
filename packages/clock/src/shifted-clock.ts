import type { Clock } from "./clock.ts";

/** A clock whose date an operator can move, to see at once what comes with time. Durations stay as they are. */
export class ShiftedClock implements Clock {
  readonly #clock: Clock;
  #shiftMs = 0;
  readonly #listeners = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now() + this.#shiftMs;
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#clock.sleep(ms, signal);
  }

  movedMs(): number {
    return this.#shiftMs;
  }

  /** Sets how far ahead it is, in milliseconds. */
  shiftTo(ms: number): void {
    if (ms === this.#shiftMs) return;
    this.#shiftMs = ms;
    for (const listener of this.#listeners) listener();
  }

  onMoved(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
