import type { ByteStream } from "./byte-stream.ts";
import { AdbError } from "./errors.ts";

/** Reads a stream by byte counts. Holds the rest of one chunk at most. */
export class ByteReader {
  readonly #stream: ByteStream;
  #rest: Uint8Array = new Uint8Array(0);

  constructor(stream: ByteStream) {
    this.#stream = stream;
  }

  /** Reads `count` bytes. Throws `AdbError` `STREAM_CLOSED` when the stream ends earlier. */
  async exactly(count: number): Promise<Uint8Array> {
    const bytes = await this.exactlyOrEnd(count);
    if (bytes) return bytes;
    throw new AdbError("STREAM_CLOSED", "the stream ended too early");
  }

  /** The same, but returns undefined when the stream ends before the first byte. */
  async exactlyOrEnd(count: number): Promise<Uint8Array | undefined> {
    const bytes = new Uint8Array(count);
    for (let length = 0; length < count;) {
      const part = await this.upTo(count - length);
      if (!part && length === 0) return undefined;
      if (!part) throw new AdbError("STREAM_CLOSED", "the stream ended too early");
      bytes.set(part, length);
      length += part.length;
    }
    return bytes;
  }

  /** Reads between one byte and `count`, as they arrived; undefined at the end. */
  async upTo(count: number): Promise<Uint8Array | undefined> {
    if (this.#rest.length === 0) {
      const chunk = await this.#stream.read();
      if (!chunk) return undefined;
      this.#rest = chunk;
    }
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }
}
