import { AdbError } from "../errors.ts";
import type { Duplex } from "./duplex.ts";

/**
 * Packets on their way out, in order. While the duplex is full they wait here. Data is bounded by the streams (one
 * packet of each, which waits for room before its next); answers are bounded by `maxWaiting`, since a peer that asks
 * without reading earns one each.
 */
export class Outbox {
  readonly #duplex: Duplex;
  readonly #maxWaiting: number;
  readonly #fail: (error: AdbError) => void;
  #waiting: Uint8Array[] = [];
  #full: PromiseWithResolvers<void> | undefined;
  #closed = false;

  constructor(duplex: Duplex, maxWaiting: number, fail: (error: AdbError) => void) {
    this.#duplex = duplex;
    this.#maxWaiting = maxWaiting;
    this.#fail = fail;
  }

  /** Resolves when there is room again; undefined when there is. */
  get room(): Promise<void> | undefined {
    return this.#full?.promise;
  }

  send(packet: Uint8Array): void {
    if (this.#closed) return;
    if (this.#full && this.#waiting.length >= this.#maxWaiting)
      return this.#fail(new AdbError("PROTOCOL", `the peer asks without reading: ${this.#maxWaiting} packets wait`));
    this.#waiting.push(packet);
    if (!this.#full) this.#flush();
  }

  close(): void {
    this.#closed = true;
    this.#waiting = [];
    this.#full?.resolve();
  }

  #flush(): void {
    let sent = 0;
    while (!this.#full && !this.#closed && sent < this.#waiting.length) {
      const room = this.#duplex.write(this.#waiting[sent++]!);
      if (room) void this.#waitFor(room);
    }
    this.#waiting.splice(0, sent);
  }

  async #waitFor(room: Promise<void>): Promise<void> {
    const full = (this.#full = Promise.withResolvers<void>());
    try {
      await room;
    } catch (cause) {
      return this.#fail(new AdbError("CLOSED", "the connection cannot be written to", { cause }));
    }
    this.#full = undefined;
    this.#flush();
    full.resolve();
  }
}
