/**
 * Gives those who do long work turns of the event loop: one continues in each turn, so that sockets are served in between. What has just
 * begun goes first, as most work is short. Then owners alternate, so that many pieces of work of one hold up another no more than one
 * piece would.
 */
export class FairTurns {
  readonly #now: () => number;
  /** Who waits, by owner; the owner whose turn is next comes first. */
  readonly #waiting = new Map<object, (() => void)[]>();
  readonly #new: (() => void)[] = [];
  #since: number | undefined;

  /** `now` is a monotonic time in ms: how long the processor was held is no matter of an injected clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How long this turn of the event loop has been used, in ms, counted from the first question in it. */
  held(): number {
    if (this.#since === undefined) this.#begin();
    return this.#now() - this.#since!;
  }

  /** Resolves in a later turn of the event loop, in which nobody else that waits here continues. */
  next(owner: object, { isNew }: { isNew: boolean }): Promise<void> {
    if (!this.#isAwaited) setImmediate(() => this.#resume());
    return new Promise((resolve) => {
      const others = this.#waiting.get(owner);
      if (isNew) this.#new.push(resolve);
      else if (others) others.push(resolve);
      else this.#waiting.set(owner, [resolve]);
    });
  }

  get #isAwaited(): boolean {
    return this.#new.length > 0 || this.#waiting.size > 0;
  }

  #resume(): void {
    const resolve = this.#new.shift() ?? this.#nextOwner();
    if (this.#isAwaited) setImmediate(() => this.#resume());
    this.#begin();
    resolve();
  }

  #nextOwner(): () => void {
    const [owner, queue] = this.#waiting.entries().next().value!;
    const resolve = queue.shift()!;
    this.#waiting.delete(owner);
    if (queue.length > 0) this.#waiting.set(owner, queue);
    return resolve;
  }

  #begin(): void {
    const since = (this.#since = this.#now());
    // Unless whoever came next in that turn has begun anew.
    setImmediate(() => {
      if (this.#since === since) this.#since = undefined;
    });
  }
}
