import type { Clock } from "@terrarium/clock";

/**
 * Finds what has stayed as it is for some time, as this process sees it by its own monotonic clock. It needs no time that processes agree
 * on, so no clock that is wrong or is set can make it wrong: whoever holds a lease changes its mark now and then, and a mark that stays
 * for longer than that is of a holder that is gone.
 */
export class Sightings {
  readonly #clock: Clock;
  readonly #ms: number;
  #since = new Map<string, number>();
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, ms: number) {
    this.#clock = clock;
    this.#ms = ms;
  }

  /** Takes all keys of this moment, and returns those that have been among them at every look for `ms`. Call it more often than that. */
  lasting(keys: readonly string[]): string[] {
    const now = this.#clock.monotonic();
    // Whatever stopped this process for that long may have stopped others too: they get their time again.
    const known = now - this.#lookedAt > this.#ms ? undefined : this.#since;
    this.#lookedAt = now;
    this.#since = new Map(keys.map((key) => [key, known?.get(key) ?? now]));
    return keys.filter((key) => now - (this.#since.get(key) ?? now) >= this.#ms);
  }
}
