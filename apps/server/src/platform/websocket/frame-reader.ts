/** What a client says, in parts as they arrive: bytes are never collected to a whole message. */
export type FramePart =
  | { type: "text"; text: string }
  /** `isEnd`: a message ends with it. */
  | { type: "bytes"; bytes: Uint8Array; isEnd: boolean }
  | { type: "ping" | "pong"; bytes: Uint8Array }
  | { type: "close"; code: number };

/** A client that breaks the protocol, with the close code that says so. */
export class FrameError extends Error {
  override readonly name = "FrameError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export const opcode = { CONTINUATION: 0, TEXT: 1, BINARY: 2, CLOSE: 8, PING: 9, PONG: 10 } as const;
const PROTOCOL_ERROR = 1002;
const NOT_TEXT = 1007;
const TOO_BIG = 1009;
/** Without a code. */
const NO_STATUS = 1005;
const MAX_CONTROL_BYTES = 125;
const MAX_HEADER_BYTES = 14;
const NOTHING = Buffer.alloc(0);
/** Text is collected; the longest is a token with some words around it. */
const MAX_TEXT_BYTES = 64 * 1024;

interface Frame {
  opcode: number;
  isFinal: boolean;
  mask: Uint8Array;
  length: number;
  read: number;
}

/**
 * Turns the bytes of a client's WebSocket (RFC 6455) into what it says, however they are cut. Unlike others it gives the bytes of a binary
 * message before its end has arrived, so that a message of any length takes no memory.
 *
 *     FIN, 3 bits, opcode | MASK, length (7) | length (16 or 64, if 126 or 127) | mask (32) | bytes
 */
export class FrameReader {
  readonly #header = Buffer.alloc(MAX_HEADER_BYTES);
  #headerBytes = 0;
  #frame: Frame | undefined;
  /** Of the message that has begun. */
  #opcode: number = opcode.CONTINUATION;
  /** Grows with a text, whose frames may be as small as one likes. */
  #text = NOTHING;
  #textBytes = 0;
  #control: Uint8Array[] = [];

  /** Gives the parts of what was said, one by one; unmasks `chunk` in place. @throws FrameError */
  *push(chunk: Uint8Array): Generator<FramePart> {
    let rest = chunk;
    while (rest.length > 0 || this.#frame) {
      if (!this.#frame) {
        rest = this.#takeHeader(rest);
        if (!this.#frame) return;
      }
      const frame: Frame = this.#frame;
      const bytes = rest.subarray(0, frame.length - frame.read);
      if (bytes.length === 0 && frame.read < frame.length) return;
      unmask(bytes, frame.mask, frame.read);
      frame.read += bytes.length;
      rest = rest.subarray(bytes.length);
      const isEnd = frame.read === frame.length;
      if (isEnd) this.#frame = undefined;
      const part = frame.opcode >= opcode.CLOSE ? this.#takeControl(frame, bytes) : this.#takeData(frame, bytes, isEnd);
      if (part) yield part;
    }
  }

  #takeHeader(chunk: Uint8Array): Uint8Array {
    for (let at = 0; at < chunk.length; at++) {
      this.#header[this.#headerBytes++] = chunk[at] ?? 0;
      if (this.#headerBytes === 2 && ((this.#header[1] ?? 0) & 0x80) === 0)
        throw new FrameError(PROTOCOL_ERROR, "a client's frame is masked");
      if (this.#headerBytes < headerLength(this.#header, this.#headerBytes)) continue;
      this.#headerBytes = 0;
      this.#frame = this.#begin();
      return chunk.subarray(at + 1);
    }
    return chunk.subarray(chunk.length);
  }

  #begin(): Frame {
    const header = this.#header;
    const [first = 0, second = 0] = header;
    const code = first & 0x0f;
    const isFinal = (first & 0x80) !== 0;
    const short = second & 0x7f;
    const maskAt = headerLength(header, 2) - 4;
    const length = short < 126 ? short : short === 126 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
    const isControl = code >= opcode.CLOSE;
    if ((first & 0x70) !== 0) throw new FrameError(PROTOCOL_ERROR, "no extension was agreed");
    if (code > opcode.PONG || (code > opcode.BINARY && !isControl))
      throw new FrameError(PROTOCOL_ERROR, "an unknown kind of frame");
    if (isControl && (!isFinal || length > MAX_CONTROL_BYTES))
      throw new FrameError(PROTOCOL_ERROR, "a long control frame");
    if (length > Number.MAX_SAFE_INTEGER) throw new FrameError(TOO_BIG, "a frame without end");
    if (!isControl && (code === opcode.CONTINUATION) !== (this.#opcode !== opcode.CONTINUATION))
      throw new FrameError(PROTOCOL_ERROR, "a message within another, or none to continue");
    if (!isControl && code !== opcode.CONTINUATION) this.#opcode = code;
    return { opcode: code, isFinal, mask: new Uint8Array(header.subarray(maskAt, maskAt + 4)), length, read: 0 };
  }

  #takeControl(frame: Frame, bytes: Uint8Array): FramePart | undefined {
    this.#control.push(bytes.slice());
    if (frame.read < frame.length) return undefined;
    const whole = Buffer.concat(this.#control);
    this.#control = [];
    if (frame.opcode !== opcode.CLOSE) return { type: frame.opcode === opcode.PING ? "ping" : "pong", bytes: whole };
    return { type: "close", code: whole.length < 2 ? NO_STATUS : whole.readUInt16BE(0) };
  }

  #takeData(frame: Frame, bytes: Uint8Array, isFrameEnd: boolean): FramePart | undefined {
    const isEnd = isFrameEnd && frame.isFinal;
    const kind = this.#opcode;
    if (isEnd) this.#opcode = opcode.CONTINUATION;
    if (kind === opcode.BINARY) return bytes.length > 0 || isEnd ? { type: "bytes", bytes, isEnd } : undefined;
    const length = this.#textBytes + bytes.length;
    if (length > MAX_TEXT_BYTES) throw new FrameError(TOO_BIG, "a text that is too long");
    if (length > this.#text.length) this.#text = Buffer.concat([this.#text], Math.max(length, 2 * this.#text.length));
    this.#text.set(bytes, this.#textBytes);
    this.#textBytes = length;
    if (!isEnd) return undefined;
    const whole = this.#text.subarray(0, length);
    this.#text = NOTHING;
    this.#textBytes = 0;
    try {
      return { type: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(whole) };
    } catch {
      throw new FrameError(NOT_TEXT, "a text that is none");
    }
  }
}

/** How long the header is, as far as its first bytes say. */
function headerLength(header: Uint8Array, known: number): number {
  if (known < 2) return 2;
  const second = header[1] ?? 0;
  const short = second & 0x7f;
  return 2 + (short === 127 ? 8 : short === 126 ? 2 : 0) + 4;
}

function unmask(bytes: Uint8Array, mask: Uint8Array, from: number): void {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((at) => mask[(from + at) & 3] ?? 0);
  const whole = bytes.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    bytes[at]! ^= a;
    bytes[at + 1]! ^= b;
    bytes[at + 2]! ^= c;
    bytes[at + 3]! ^= d;
  }
  for (let at = whole; at < bytes.length; at++) bytes[at]! ^= mask[(from + at) & 3] ?? 0;
}
