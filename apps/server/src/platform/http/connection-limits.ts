import type { Clock } from "@terrarium/clock";
import { Attempts } from "../attempts.ts";
import { networkOf } from "../network-of.ts";

const MINUTE_MS = 60_000;

/**
 * Twenty a second: a class behind one address whose players all reconnect every three seconds stays below it. And many times what
 * people behind one address watch.
 */
const defaults = { maxPerMinute: 1_200, maxOpen: 500 };

/** Limits the connections of one network to this process: how many it opens within a minute, and how many it has open. */
export class ConnectionLimits {
  readonly #attempts: Attempts;
  readonly #maxOpen: number;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock, { maxPerMinute, maxOpen } = defaults) {
    this.#attempts = new Attempts({ max: maxPerMinute, windowMs: MINUTE_MS, clock });
    this.#maxOpen = maxOpen;
  }

  /** Counts a new connection; undefined if it is one too many. Call the result, once, when the connection has closed. */
  admit(address: string): (() => void) | undefined {
    const network = networkOf(address);
    const open = (this.#open.get(network) ?? 0) + 1;
    if (open > this.#maxOpen || !this.#isInTime(network)) return undefined;
    this.#open.set(network, open);
    return () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    };
  }

  #isInTime(network: string): boolean {
    try {
      this.#attempts.take(network);
      return true;
    } catch {
      return false;
    }
  }
}
