/** Lets long pieces of work run one at a time, with a turn of the event loop before each, so that sockets are served between them. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when it is the caller's turn, which lasts until it next waits for anything. */
  turn(): Promise<void> {
    this.#last = this.#last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return this.#last;
  }
}
