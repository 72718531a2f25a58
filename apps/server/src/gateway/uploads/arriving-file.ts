/** What arrived and the device has not asked for yet: enough that neither waits for the other. */
const MAX_WAITING_BYTES = 512 * 1024;

/** A file as it arrives: its sender learns when to stop and when to go on, and its reader waits. */
export class ArrivingFile implements AsyncIterable<Uint8Array> {
  readonly #parts: Uint8Array[] = [];
  #waitingBytes = 0;
  #isComplete = false;
  #error: Error | undefined;
  #wake: () => void = () => undefined;
  /** Called when there is room again. */
  onRoom: () => void = () => undefined;

  /** Bytes that the reader has not asked for. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Whether to bring nothing more until there is room. */
  get isFull(): boolean {
    return this.#waitingBytes >= MAX_WAITING_BYTES;
  }

  push(bytes: Uint8Array): void {
    if (this.#error || bytes.length === 0) return;
    this.#parts.push(bytes);
    this.#waitingBytes += bytes.length;
    this.#wake();
  }

  /** Nothing more will come. */
  end(): void {
    this.#isComplete = true;
    this.#wake();
  }

  /** It will never be complete: whoever reads it gets the error. */
  fail(error: Error): void {
    this.#error ??= error;
    this.#parts.length = 0;
    this.#waitingBytes = 0;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#error) throw this.#error;
      if (this.#parts.length > 0) {
        // All at once: a device acknowledges each part that it is given.
        const parts = Buffer.concat(this.#parts.splice(0));
        const wasFull = this.isFull;
        this.#waitingBytes = 0;
        if (wasFull) this.onRoom();
        yield parts;
      } else if (this.#isComplete) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
