import type { SocketHandler } from "@terrarium/adb";

/** The abstract Unix sockets that programs of a device listen on. */
export class LocalSockets {
  readonly #listeners = new Map<string, SocketHandler>();

  /** Listens until the returned function is called. Throws if the name is taken. */
  listen(name: string, handler: SocketHandler): () => void {
    if (this.#listeners.has(name)) throw new Error(`localabstract:${name}: address already in use`);
    this.#listeners.set(name, handler);
    return () => {
      if (this.#listeners.get(name) === handler) this.#listeners.delete(name);
    };
  }

  find(name: string): SocketHandler | undefined {
    return this.#listeners.get(name);
  }
}
