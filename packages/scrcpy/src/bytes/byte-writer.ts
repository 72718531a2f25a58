/** Writes fields one after another, big endian as all of scrcpy is, into exactly `length` bytes. */
export class ByteWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  #at = 0;

  constructor(length: number) {
    this.bytes = new Uint8Array(length);
    this.#view = new DataView(this.bytes.buffer);
  }

  u8(value: number): this {
    this.#view.setUint8(this.#step(1), value);
    return this;
  }

  flag(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  u16(value: number): this {
    this.#view.setUint16(this.#step(2), value);
    return this;
  }

  i16(value: number): this {
    this.#view.setInt16(this.#step(2), value);
    return this;
  }

  u32(value: number): this {
    this.#view.setUint32(this.#step(4), value);
    return this;
  }

  i32(value: number): this {
    this.#view.setInt32(this.#step(4), value);
    return this;
  }

  i64(value: bigint): this {
    this.#view.setBigInt64(this.#step(8), value);
    return this;
  }

  u64(value: bigint): this {
    this.#view.setBigUint64(this.#step(8), value);
    return this;
  }

  raw(bytes: Uint8Array): this {
    this.bytes.set(bytes, this.#step(bytes.length));
    return this;
  }

  #step(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
