/**
 * Lets callers who ask the same at once share one answer. Nobody gets an answer that was begun before they asked: who comes
 * while one is being made waits for it to end and shares the next with all who came meanwhile.
 */
export class SharedReads<Answer> {
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<string, Promise<Answer>>();

  /** `key` says who asks what: the same key, the same answer. */
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
