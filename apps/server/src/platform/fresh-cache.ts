import type { Clock } from "@terrarium/clock";

/** A cache whose entries are valid for `freshMs`. Concurrent calls for one key load its value once. */
export class FreshCache<Value> {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, { value: Promise<Value>; since: number }>();

  constructor({ clock, freshMs, maxEntries }: { clock: Clock; freshMs: number; maxEntries: number }) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#maxEntries = maxEntries;
  }

  /** The cached value, or a new one from `ask`. Failures are not cached. */
  get(key: string, ask: () => Promise<Value>): Promise<Value> {
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known && now - known.since < this.#freshMs) return known.value;
    const value = ask();
    this.#entries.delete(key);
    this.#entries.set(key, { value, since: now });
    value.catch(() => this.#entries.delete(key));
    // A map keeps the order of insertion: the first is the oldest.
    if (this.#entries.size > this.#maxEntries) this.#entries.delete(this.#entries.keys().next().value ?? "");
    return value;
  }
}
