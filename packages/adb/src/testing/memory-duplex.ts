import type { Duplex, DuplexEvents } from "../connection/duplex.ts";

export interface MemoryDuplexOptions {
  /** Bytes arrive in chunks of this many; default as they were written. */
  chunkBytes?: number;
  /** Called with all bytes written, before they are delivered. */
  onWrite?: (bytes: Uint8Array) => void;
}

/** One end of a pair of queues. Bytes are delivered in a later microtask, as a socket's are in a later tick. */
export class MemoryDuplex implements Duplex {
  readonly #options: MemoryDuplexOptions;
  #peer: MemoryDuplex = this;
  #events: DuplexEvents | undefined;
  #queue: Uint8Array[] = [];
  #delivering = false;
  #closed = false;

  constructor(options: MemoryDuplexOptions) {
    this.#options = options;
  }

  static pair(options: MemoryDuplexOptions = {}): [MemoryDuplex, MemoryDuplex] {
    const [first, second] = [new MemoryDuplex(options), new MemoryDuplex(options)];
    first.#peer = second;
    second.#peer = first;
    return [first, second];
  }

  listen(events: DuplexEvents): void {
    this.#events = events;
    void this.#deliver();
  }

  write(bytes: Uint8Array): undefined {
    this.#options.onWrite?.(bytes);
    if (this.#closed) return;
    const size = this.#options.chunkBytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) this.#peer.#queue.push(bytes.slice(at, at + size));
    void this.#peer.#deliver();
  }

  /** Both ends hear of it after what was written before. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    void this.#deliver();
    this.#peer.close();
  }

  async #deliver(): Promise<void> {
    if (this.#delivering || !this.#events) return;
    this.#delivering = true;
    await Promise.resolve();
    for (let chunk = this.#queue.shift(); chunk; chunk = this.#queue.shift()) this.#events.data(chunk);
    this.#delivering = false;
    if (!this.#closed) return;
    this.#events.close();
    this.#events = undefined;
  }
}
