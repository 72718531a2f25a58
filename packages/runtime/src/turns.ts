/** Work that is done one after the other, by name. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when what was asked for before under the same name is over, however it ended. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(name, settled);
    void settled.then(() => this.#last.get(name) === settled && this.#last.delete(name));
    return result;
  }

  /** Resolves when all that was asked for is over. */
  async over(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
