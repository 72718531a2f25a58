/** Sums amounts within a window of time. A new window starts with the first amount after the last one's end. */
export class RateWindow {
  readonly #lengthMs: number;
  #start = Number.NEGATIVE_INFINITY;
  #sum = 0;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Adds `amount` and returns the sum of the current window. `now` is by a monotonic clock, in ms. */
  add(amount: number, now: number): number {
    if (now - this.#start >= this.#lengthMs) {
      this.#start = now;
      this.#sum = 0;
    }
    return (this.#sum += amount);
  }
}
