import type { ByteStream } from "../byte-stream.ts";
import { AdbError } from "../errors.ts";
import { WINDOW_BYTES } from "../packet/constants.ts";

/** What a stream needs from its connection. */
export interface StreamPort {
  maxPayloadBytes(): number;
  /** Whether both sides have `delayed_ack`. */
  hasWindows(): boolean;
  /** Returns a promise when the connection is full, which resolves when there is room again or it is over. */
  sendData(stream: AdbStream, bytes: Uint8Array): Promise<void> | undefined;
  /** Acknowledges the peer's last packet, or this many of its bytes. */
  sendTaken(stream: AdbStream, bytes?: number): void;
  /** The stream is over on this side; `tellPeer` unless the connection is gone. */
  forget(stream: AdbStream, notifyPeer: boolean): void;
}

interface Waiting<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/**
 * A peer should wait for OKAY before its next WRTE. adbd 34 does not when its service ends: what is left in the service's
 * socket is sent at once, before CLSE. So a little more than one packet is held, and no more than this.
 */
const MAX_HELD_PACKETS = 8;
const MAX_HELD_PAYLOADS = 2;
/** Of a peer with a window, whose packets may be small. */
const MAX_HELD_PACKETS_OF_WINDOW = WINDOW_BYTES / 32;
/** How many bytes are acknowledged at once. The peer can send the rest of the window meanwhile. */
const ACKNOWLEDGED_AT_ONCE = WINDOW_BYTES / 4;

/**
 * One stream of a connection. Each side has one WRTE that was not answered by OKAY, or with `delayed_ack` a window of bytes; ours is sent
 * when the reader has taken them, so a reader that does not read holds back the peer.
 */
export class AdbStream implements ByteStream {
  readonly service: string;
  readonly localId: number;
  /** 0 until the peer has sent it. */
  remoteId = 0;
  /** With `delayed_ack`, the bytes that the peer still takes; a packet may be larger than that. */
  #room = 0;
  #unacknowledged = 0;
  readonly closed: Promise<void>;
  readonly #port: StreamPort;
  #resolveClosed: () => void = () => {};
  #isClosed = false;
  #error: Error | undefined;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #reader: Waiting<Uint8Array | undefined> | undefined;
  #acknowledged: Waiting<void> | undefined;
  #writes: Promise<void> = Promise.resolve();

  constructor(port: StreamPort, service: string, localId: number) {
    this.#port = port;
    this.service = service;
    this.localId = localId;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#reader) return Promise.reject(new AdbError("INVALID_ARGUMENT", "one read at a time"));
    const held = this.#held.shift();
    if (held) {
      this.#heldBytes -= held.length;
      if (!this.#isClosed) this.#took(held);
      return Promise.resolve(held);
    }
    if (this.#error) return Promise.reject(this.#error);
    if (this.#isClosed) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => (this.#reader = { resolve, reject }));
  }

  /** Leaving the loop closes the stream. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await this.read(); bytes; bytes = await this.read()) yield bytes;
    } finally {
      this.close();
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    const written = this.#writes.then(() => this.#writeAll(bytes));
    this.#writes = written.catch(() => {});
    return written;
  }

  async end(): Promise<void> {
    await this.#writes;
    this.close();
  }

  close(error?: Error): void {
    if (this.#isClosed) return;
    this.#held = [];
    this.#finish(error);
    this.#port.forget(this, true);
  }

  /** WRTE arrived. Returns false if the peer has sent far more than it may without waiting. */
  receive(bytes: Uint8Array): boolean {
    if (bytes.length === 0) {
      this.#took(bytes);
    } else if (this.#reader) {
      const reader = this.#reader;
      this.#reader = undefined;
      this.#took(bytes);
      reader.resolve(bytes);
    } else {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
    }
    const payload = this.#port.maxPayloadBytes();
    return this.#port.hasWindows()
      ? this.#held.length <= MAX_HELD_PACKETS_OF_WINDOW && this.#heldBytes < WINDOW_BYTES + payload
      : this.#held.length <= MAX_HELD_PACKETS && this.#heldBytes <= MAX_HELD_PAYLOADS * payload;
  }

  /** OKAY arrived for what we wrote; with `delayed_ack` for this many bytes, at first the whole window. */
  acknowledge(bytes = 0): void {
    this.#room += bytes;
    if (this.#port.hasWindows() && this.#room <= 0) return;
    const acknowledged = this.#acknowledged;
    this.#acknowledged = undefined;
    acknowledged?.resolve();
  }

  /** CLSE arrived: what is held can still be read. */
  endedByPeer(): void {
    if (this.#isClosed) return;
    this.#finish(undefined);
    this.#port.forget(this, true);
  }

  /** The connection is gone. */
  lost(error: Error): void {
    if (this.#isClosed) return;
    this.#finish(error);
    this.#port.forget(this, false);
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    const maxBytes = this.#port.maxPayloadBytes();
    for (let at = 0; at < bytes.length; at += maxBytes) {
      if (this.#isClosed) throw this.#error ?? new AdbError("STREAM_CLOSED", `the stream ${this.service} is closed`);
      const part = bytes.subarray(at, at + maxBytes);
      if (this.#port.hasWindows()) {
        if (this.#room <= 0) await this.#nextAcknowledged();
        this.#room -= part.length;
        await this.#port.sendData(this, part);
      } else {
        const acknowledged = this.#nextAcknowledged();
        void this.#port.sendData(this, part);
        await acknowledged;
      }
    }
  }

  #nextAcknowledged(): Promise<void> {
    return new Promise((resolve, reject) => (this.#acknowledged = { resolve, reject }));
  }

  /** The reader has taken these bytes. */
  #took({ length }: Uint8Array): void {
    if (!this.#port.hasWindows()) return this.#port.sendTaken(this);
    this.#unacknowledged += length;
    if (this.#unacknowledged < ACKNOWLEDGED_AT_ONCE) return;
    this.#port.sendTaken(this, this.#unacknowledged);
    this.#unacknowledged = 0;
  }

  #finish(error: Error | undefined): void {
    this.#isClosed = true;
    this.#error = error;
    const reader = this.#reader;
    this.#reader = undefined;
    if (error) reader?.reject(error);
    else reader?.resolve(undefined);
    const acknowledged = this.#acknowledged;
    this.#acknowledged = undefined;
    acknowledged?.reject(error ?? new AdbError("STREAM_CLOSED", `the stream ${this.service} was closed`));
    this.#resolveClosed();
  }
}
