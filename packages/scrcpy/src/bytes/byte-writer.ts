/** Short messages share buffers of this size: allocating one for each would cost more than writing it. */
const SLAB_BYTES = 8 * 1024;
const MAX_SHARED_BYTES = 512;

let slab = new DataView(new ArrayBuffer(SLAB_BYTES));
let used = 0;

/** Writes big-endian fields in turn into exactly `length` bytes. */
export class ByteWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView<ArrayBuffer>;
  #at = 0;

  constructor(length: number) {
    if (length > MAX_SHARED_BYTES) {
      this.#view = new DataView(new ArrayBuffer(length));
    } else {
      if (used + length > SLAB_BYTES) {
        slab = new DataView(new ArrayBuffer(SLAB_BYTES));
        used = 0;
      }
      this.#view = slab;
      this.#at = used;
      used += length;
    }
    this.bytes = new Uint8Array(this.#view.buffer, this.#at, length);
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
    this.bytes.set(bytes, this.#step(bytes.length) - this.bytes.byteOffset);
    return this;
  }

  #step(count: number): number {
    const at = this.#at;
    this.#at += count;
    return at;
  }
}
