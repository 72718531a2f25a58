/**
 * Shares one read between concurrent callers with the same key. Nobody gets the result of a read that began before their call: callers
 * who arrive during a read wait for its end, and then share the next one.
 */
export class SharedReads<Answer> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<Answer>>();

  /** `key` identifies the caller and the query: equal keys must have equal results. */
  read(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const before = this.#running.get(key);
    if (!before) return this.#run(key, make);
    const shared = this.#waiting.get(key);
    if (shared) return shared;
    const next = before.then(() => {
      this.#waiting.delete(key);
      return this.#run(key, make);
    });
    this.#waiting.set(key, next);
    return next;
  }

  #run(key: string, make: () => Promise<Answer>): Promise<Answer> {
    const answer = make();
    const over = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#running.set(key, over);
    void over.then(() => {
      if (this.#running.get(key) === over) this.#running.delete(key);
    });
    return answer;
  }
}
