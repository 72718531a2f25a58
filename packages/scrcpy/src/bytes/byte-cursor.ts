const decoder = new TextDecoder();

/** Reads the big-endian fields of one message in turn. */
export class ByteCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8(): number {
    return this.#view.getUint8(this.#step(1));
  }

  flag(): boolean {
    return this.u8() !== 0;
  }

  u16(): number {
    return this.#view.getUint16(this.#step(2));
  }

  i16(): number {
    return this.#view.getInt16(this.#step(2));
  }

  u32(): number {
    return this.#view.getUint32(this.#step(4));
  }

  i32(): number {
    return this.#view.getInt32(this.#step(4));
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#step(8));
  }

  /** Copied, because the buffer underneath is reused. */
  raw(length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.subarray(this.#step(length), this.#at));
  }

  /** Decodes UTF-8; invalid bytes become U+FFFD. */
  text(length: number): string {
    return decoder.decode(this.#bytes.subarray(this.#step(length), this.#at));
  }

  #step(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
