/** How long the service holds a tunnel whose client has lost its network. */
export const RESUME_MS = 60_000;
/** The most that is sent before the other end has confirmed any of it: each end holds that much, to send it again. */
export const WINDOW_BYTES = 2 * 1024 * 1024;
/** How often bytes are confirmed. Far below the window, so that who sends need not stop. */
const CONFIRM_BYTES = 256 * 1024;

/** One end of a tunnel that outlives its sockets: what it has sent and the other end has not confirmed, and what it has taken itself. */
export class ResumableEnd {
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** How many bytes the other end has confirmed. */
  #confirmed = 0;
  #received = 0;
  #taken = 0;
  #reported = 0;

  /** Bytes that have arrived from the other end in all. */
  get received(): number {
    return this.#received;
  }

  /** Bytes that arrived and were not passed on yet. */
  get waiting(): number {
    return this.#received - this.#taken;
  }

  /** Whether to send nothing more before the other end has confirmed some. */
  get isFull(): boolean {
    return this.#heldBytes >= WINDOW_BYTES;
  }

  /** Retains what is sent until it is confirmed. */
  send(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  receive(length: number): void {
    this.#received += length;
  }

  /** All that has arrived was passed on. Returns what to confirm, if it is time to. */
  take(): number | undefined {
    this.#taken = this.#received;
    if (this.#taken - this.#reported < CONFIRM_BYTES) return undefined;
    return (this.#reported = this.#taken);
  }

  /** The other end has these many bytes. Returns false if it cannot have. */
  confirm(received: number): boolean {
    if (received > this.#confirmed + this.#heldBytes) return false;
    let over = received - this.#confirmed;
    // It said so before.
    if (over <= 0) return true;
    this.#confirmed = received;
    this.#heldBytes -= over;
    let parts = 0;
    while (over > 0) {
      const part = this.#held[parts] ?? new Uint8Array(over);
      if (part.length > over) this.#held[parts] = part.subarray(over);
      else parts++;
      over -= part.length;
    }
    this.#held.splice(0, parts);
    return true;
  }

  /** The network is back, and the other end has these many bytes: what to send again; undefined if it cannot have. */
  resume(received: number): Uint8Array[] | undefined {
    if (received < this.#confirmed || !this.confirm(received)) return undefined;
    return [...this.#held];
  }
}
