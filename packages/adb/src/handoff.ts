/**
 * Hands chunks from a writer to a reader without buffering: `put` waits until the reader comes back for more, or has left.
 * So a slow reader holds back the stream that feeds it.
 */
export class Handoff implements AsyncIterable<Uint8Array> {
  #offered: { bytes: Uint8Array; taken: () => void } | undefined;
  #reader: { resolve(bytes: Uint8Array | undefined): void; reject(error: unknown): void } | undefined;
  #ended = false;
  #error: Error | undefined;

  /** Resolves when the reader has taken `bytes`, or has left. One put at a time. */
  put(bytes: Uint8Array): Promise<void> {
    if (this.#ended || bytes.length === 0) return Promise.resolve();
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader) {
      reader.resolve(bytes);
      return Promise.resolve();
    }
    return new Promise((taken) => (this.#offered = { bytes, taken }));
  }

  /** Nothing more will be put. The reader gets what is offered first, then the end or the error. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    if (error) this.#reader?.reject(error);
    else this.#reader?.resolve(undefined);
    this.#reader = undefined;
  }

  /** The reader has left, and what is offered is dropped. */
  cancel(): void {
    this.end();
    this.#offered?.taken();
    this.#offered = undefined;
  }

  read(): Promise<Uint8Array | undefined> {
    const offered = this.#offered;
    this.#offered = undefined;
    offered?.taken();
    if (offered) return Promise.resolve(offered.bytes);
    if (this.#error) return Promise.reject(this.#error);
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await this.read(); bytes; bytes = await this.read()) yield bytes;
    } finally {
      this.cancel();
    }
  }
}
