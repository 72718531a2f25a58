import type { Clock } from "@terrarium/clock";

/** The times of a stream that goes on while its sender is reopened, and then counts from 0 again. */
export class SteadyTime {
  readonly #clock: Clock;
  /** Of the last packet, and when it came. */
  #lastUs = 0n;
  #lastAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Of one source: converts its times, so that they go on from those of the source before. */
  next(): (ptsUs: bigint) => bigint {
    let shiftUs: bigint | undefined;
    return (ptsUs) => {
      shiftUs ??= this.#shiftFor(ptsUs);
      this.#lastUs = ptsUs + shiftUs;
      this.#lastAtMs = this.#clock.monotonic();
      return this.#lastUs;
    };
  }

  #shiftFor(firstUs: bigint): bigint {
    if (firstUs > this.#lastUs) return 0n;
    const sinceUs = BigInt(Math.max(1, Math.round((this.#clock.monotonic() - this.#lastAtMs) * 1_000)));
    return this.#lastUs + sinceUs - firstUs;
  }
}
