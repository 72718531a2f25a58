/** Adds up what happened since a window of time began; the next window begins with what comes after its end. */
export class RateWindow {
  readonly #lengthMs: number;
  #start = Number.NEGATIVE_INFINITY;
  #sum = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Adds `amount`; answers the sum of this window, with it. */
  add(amount: number, now: number): number {
    // A start in the future is one from before the clock was put back.
    if (Math.abs(now - this.#start) >= this.#lengthMs) {
      this.#start = now;
      this.#sum = 0;
    }
    return (this.#sum += amount);
  }
}
