import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { FrameError, type FramePart, FrameReader, opcode } from "./frame-reader.ts";

/** Of RFC 6455, section 1.3. */
const KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** A client with this much unread is gone. */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;
const NORMAL = 1000;
const NO_STATUS = 1005;
const NOTHING = Buffer.alloc(0);
/** How many messages of one client are handled before it is others' turn: a chunk may have ten thousand tiny messages. */
const MAX_PARTS_AT_ONCE = 256;

export interface MessageEvents {
  /** A text message; undefined for bytes that nobody listens for. */
  onText: (text: string | undefined) => void;
  onPong: () => void;
  onClose: () => void;
}

export interface ByteEvents {
  /** A part of a binary message as it arrived, and whether the message ends with it. The array is the listener's. */
  onBytes: (bytes: Uint8Array, isEnd: boolean) => void;
  onText: (text: string) => void;
  /** All that was to be sent has been. */
  onDrain: () => void;
}

/** The service's end of a WebSocket that carries many bytes: both directions know backpressure. Calls after its end do nothing. */
export class ByteSocket {
  readonly #socket: Duplex;
  readonly #reader = new FrameReader();
  #parts: Generator<FramePart> | undefined;
  #events: MessageEvents | undefined;
  #byteEvents: ByteEvents | undefined;
  #isPaused = false;
  #isReading = false;
  /** We have said that it closes; nothing more is sent, and nothing that is said counts. */
  #isClosing = false;
  #isClosed = false;
  #leftWith: number | undefined;

  /** `socket` is upgraded and unread. */
  constructor(socket: Duplex, head: Uint8Array = NOTHING) {
    this.#socket = socket;
    socket.pause();
    socket.on("error", () => undefined);
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    // A client that has closed its direction says nothing more, not even that it leaves.
    socket.on("end", () => socket.destroy());
    socket.on("drain", () => this.#isClosing || this.#byteEvents?.onDrain());
    socket.on("close", () => {
      this.#isClosed = true;
      this.#events?.onClose();
    });
    if (head.length > 0) socket.unshift(head);
  }

  /** Begins to read. */
  listen(events: MessageEvents): void {
    this.#events = events;
    if (this.#socket.destroyed) queueMicrotask(() => events.onClose());
    else this.#hearMore();
  }

  /** From now on, what is said goes there. */
  listenBytes(events: ByteEvents): void {
    this.#byteEvents = events;
  }

  /** Bytes that the client has not taken yet. */
  get unread(): number {
    return this.#socket.writableLength;
  }

  /** The close code with which the client has left, if it said that it does. */
  get leftWith(): number | undefined {
    return this.#leftWith;
  }

  send(text: string): void {
    this.#send(opcode.TEXT, Buffer.from(text));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#send(opcode.BINARY, bytes);
  }

  ping(): void {
    this.#send(opcode.PING, NOTHING);
    // What the client says is not read now, so it cannot show that it is there.
    if (this.#isPaused) queueMicrotask(() => this.#events?.onPong());
  }

  /** Reads nothing more until `resume`. What was read already may still be said. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#read();
    this.#hearMore();
  }

  close(code: number, reason: string): void {
    if (this.#isClosing) return;
    const words = Buffer.from(reason);
    const bytes = Buffer.alloc(2 + words.length);
    bytes.writeUInt16BE(code === NO_STATUS ? NORMAL : code);
    words.copy(bytes, 2);
    this.#send(opcode.CLOSE, bytes);
    this.#isClosing = true;
    // Its answer may be behind much that nobody wants any more.
    this.resume();
  }

  /** Closes without a handshake, because the other side is gone. */
  terminate(): void {
    this.#socket.destroy();
  }

  #send(code: number, bytes: Uint8Array): void {
    if (this.#isClosing || this.#isClosed || this.#socket.destroyed) return;
    if (this.unread > MAX_UNREAD_BYTES) return this.terminate();
    this.#socket.cork();
    this.#socket.write(frameHeader(code, bytes.length));
    if (bytes.length > 0) this.#socket.write(bytes);
    this.#socket.uncork();
  }

  #receive(chunk: Buffer): void {
    const before = this.#parts;
    // Paused in the middle of a chunk, a socket may still give what it had read.
    this.#parts = before ? both(before, this.#reader, chunk) : this.#reader.push(chunk);
    this.#read();
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      for (let count = 0; this.#parts && !this.#isPaused && !this.#isClosed; count++) {
        if (count === MAX_PARTS_AT_ONCE) return this.#readOn();
        const next = this.#parts.next();
        if (next.done) this.#parts = undefined;
        else this.#take(next.value);
      }
    } catch (error) {
      this.#parts = undefined;
      if (!(error instanceof FrameError)) throw error;
      this.close(error.code, error.message);
      this.#socket.end();
    } finally {
      this.#isReading = false;
    }
  }

  /** Goes on in a later turn of the event loop. */
  #readOn(): void {
    this.#socket.pause();
    setImmediate(() => {
      this.#read();
      this.#hearMore();
    });
  }

  /** Once all that came was read. */
  #hearMore(): void {
    if (this.#events && !this.#parts && !this.#isPaused) this.#socket.resume();
  }

  #take(part: FramePart): void {
    if (part.type === "close") {
      if (!this.#isClosing) this.#leftWith = part.code;
      this.close(part.code, "");
      this.#socket.end();
    } else if (this.#isClosing) return;
    else if (part.type === "ping") this.#send(opcode.PONG, part.bytes);
    else if (part.type === "pong") this.#events?.onPong();
    else if (part.type === "bytes" && this.#byteEvents) {
      // Its pong may be behind them.
      this.#events?.onPong();
      this.#byteEvents.onBytes(part.bytes, part.isEnd);
    } else if (part.type === "text" && this.#byteEvents) this.#byteEvents.onText(part.text);
    else this.#events?.onText(part.type === "text" ? part.text : undefined);
  }
}

function* both(first: Generator<FramePart>, reader: FrameReader, chunk: Uint8Array): Generator<FramePart> {
  yield* first;
  yield* reader.push(chunk);
}

function frameHeader(code: number, length: number): Buffer {
  const size = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const header = Buffer.alloc(size);
  header[0] = 0x80 | code;
  header[1] = size === 2 ? length : size === 4 ? 126 : 127;
  if (size === 4) header.writeUInt16BE(length, 2);
  if (size === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}

/** What others need of it. */
export type ByteConnection = Pick<ByteSocket, keyof ByteSocket>;

/** Accepts an upgrade to a WebSocket; undefined, and the socket closed, if the request asks for none. */
export function acceptByteSocket(request: IncomingMessage, socket: Duplex, head: Uint8Array): ByteSocket | undefined {
  const key = request.headers["sec-websocket-key"];
  const isOne = /^websocket$/i.test(request.headers.upgrade ?? "") && request.headers["sec-websocket-version"] === "13";
  if (request.method !== "GET" || !isOne || !/^[+/0-9A-Za-z]{22}==$/.test(key ?? "")) {
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    return undefined;
  }
  const accept = createHash("sha1").update(`${key}${KEY_SUFFIX}`).digest("base64");
  const lines = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: Upgrade"];
  socket.write(`${lines.join("\r\n")}\r\nsec-websocket-accept: ${accept}\r\n\r\n`);
  return new ByteSocket(socket, head);
}
