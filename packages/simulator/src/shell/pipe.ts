import type { ByteSink } from "@terrarium/adb";

/** A source of bytes in chunks; undefined at the end. */
export interface ByteSource {
  read(): Promise<Uint8Array | undefined>;
}

/** The reader of a pipe has gone: what SIGPIPE means to a process. */
export class BrokenPipe extends Error {
  override readonly name = "BrokenPipe";
}

export const emptySource: ByteSource = { read: async () => undefined };

const encoder = new TextEncoder();

/** As much as a Linux pipe holds; beyond that a writer waits. */
const CAPACITY_BYTES = 64 * 1024;

/** Joins two stages of a pipeline. */
export class Pipe implements ByteSource, ByteSink {
  #chunks: Uint8Array[] = [];
  #bytes = 0;
  #ended = false;
  #broken = false;
  #changed = Promise.withResolvers<void>();

  async write(data: Uint8Array | string): Promise<void> {
    if (this.#broken) throw new BrokenPipe();
    // Copied: the writer may use its buffer again.
    const bytes = typeof data === "string" ? encoder.encode(data) : data.slice();
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#bytes += bytes.length;
    this.#wake();
    while (this.#bytes > CAPACITY_BYTES && !this.#broken) await this.#changed.promise;
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#bytes -= chunk.length;
        this.#wake();
        return chunk;
      }
      if (this.#ended || this.#broken) return undefined;
      await this.#changed.promise;
    }
  }

  /** No more will be written. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The reader is gone. */
  break(): void {
    this.#broken = true;
    this.#chunks = [];
    this.#bytes = 0;
    this.#wake();
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }
}

/** Reads an iterable chunk by chunk, so that several commands can read from it in turn. */
export function sourceOf(iterable: AsyncIterable<Uint8Array>): ByteSource {
  const iterator = iterable[Symbol.asyncIterator]();
  let over = false;
  return {
    read: async () => {
      if (over) return undefined;
      const next = await iterator.next();
      if (!next.done) return next.value;
      over = true;
      return undefined;
    },
  };
}
