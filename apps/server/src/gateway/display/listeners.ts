/** Functions to call whenever something happens. */
export class Listeners<Value> {
  readonly #listeners = new Set<(value: Value) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(value: Value): void {
    for (const listener of this.#listeners) listener(value);
  }
}
