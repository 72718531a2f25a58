import { networkOf } from "../network-of.ts";

/** How many connections may be waiting to authenticate: in this process, and from one network. */
export interface AnonymousLimits {
  max: number;
  maxPerNetwork: number;
}

/** Enough for everybody to come back at the same moment, as after a restart: clients authenticate at once. */
export const anonymousLimits: AnonymousLimits = { max: 1024, maxPerNetwork: 128 };

interface Anonymous {
  network: string;
  close: () => void;
}

/**
 * Bounds the connections that have not authenticated yet. Beyond a limit the oldest is closed instead of the new one refused: a client that
 * means well authenticates at once, so whoever fills the places cannot lock others out.
 */
export class AnonymousConnections {
  readonly #limits: AnonymousLimits;
  /** Both in the order of arrival. */
  readonly #all = new Set<Anonymous>();
  readonly #byNetwork = new Map<string, Set<Anonymous>>();

  constructor(limits = anonymousLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Adds a connection. Call the result when it has authenticated or ended; `close` is called if it has to go before that. */
  add(address: string, close: () => void): () => void {
    const one: Anonymous = { network: networkOf(address), close };
    const neighbours = this.#byNetwork.get(one.network) ?? new Set();
    this.#byNetwork.set(one.network, neighbours.add(one));
    this.#all.add(one);
    if (neighbours.size > this.#limits.maxPerNetwork) this.#closeOldest(neighbours);
    else if (this.#all.size > this.#limits.max) this.#closeOldest(this.#all);
    return () => this.#remove(one);
  }

  #closeOldest(among: Set<Anonymous>): void {
    const [oldest] = among;
    if (!oldest) return;
    this.#remove(oldest);
    oldest.close();
  }

  #remove(one: Anonymous): void {
    this.#all.delete(one);
    const neighbours = this.#byNetwork.get(one.network);
    neighbours?.delete(one);
    if (neighbours?.size === 0) this.#byNetwork.delete(one.network);
  }
}
