/** Who listens for changes of something that is held outside React; `subscribe` is what useSyncExternalStore takes. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  /** The answer takes the listener out again. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
