import type { Clock } from "@terrarium/clock";
import { networkOf } from "../network-of.ts";
import { MemoryRateLimiter } from "../rate-limits/memory-rate-limiter.ts";

const MINUTE_MS = 60_000;

/**
 * Twenty a second: a class behind one address whose players all reconnect every three seconds stays below it. And many times what
 * people behind one address watch.
 */
const defaults = { maxPerMinute: 1_200, maxOpen: 500 };

/** Limits the connections of one network to this process: how many it opens within a minute, and how many it has open. */
export class ConnectionLimits {
  readonly #opened: MemoryRateLimiter;
  readonly #maxOpen: number;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock, { maxPerMinute, maxOpen } = defaults) {
    this.#opened = new MemoryRateLimiter(clock, { max: maxPerMinute, windowMs: MINUTE_MS });
    this.#maxOpen = maxOpen;
  }

  /** Counts a new connection; undefined if it is one too many. Call the result, once, when the connection has closed. */
  admit(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const open = (this.#open.get(network) ?? 0) + 1;
    if (open > this.#maxOpen || !this.#opened.take(network)) return undefined;
    this.#open.set(network, open);
    return () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    };
  }
}
