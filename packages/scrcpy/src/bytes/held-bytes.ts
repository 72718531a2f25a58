/** Bytes that have arrived but not been parsed. Doubles when full, so that a message in many small pieces takes linear time. */
export class HeldBytes {
  #buffer = new Uint8Array(64);
  #start = 0;
  #end = 0;

  /** The bytes held, without a copy: valid until the next `append`. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(chunk: Uint8Array): void {
    const length = this.#end - this.#start;
    if (this.#end + chunk.length > this.#buffer.length) {
      const target =
        length + chunk.length > this.#buffer.length
          ? new Uint8Array(Math.max(this.#buffer.length * 2, length + chunk.length))
          : this.#buffer;
      target.set(this.bytes, 0);
      this.#buffer = target;
      this.#start = 0;
      this.#end = length;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  drop(count: number): void {
    this.#start += count;
    if (this.#start === this.#end) this.#start = this.#end = 0;
  }
}
