import { AdbError } from "../errors.ts";

/** The ids of shell protocol v2 (AOSP adb, shell_protocol.h). */
export const shellId = { stdin: 0, stdout: 1, stderr: 2, exit: 3, closeStdin: 4, windowSize: 5 } as const;

export interface ShellFrame {
  id: number;
  data: Uint8Array;
}

const HEADER_BYTES = 5;

/** adb fills frames up to its own buffer and no peer sends more; a frame is passed on in parts, so this is not held. */
const MAX_FRAME_BYTES = 1024 * 1024;

/**
 *     0    1          5
 *     +----+----------+------
 *     | id | length LE| data
 *     +----+----------+------
 */
export function encodeShellFrame({ id, data }: ShellFrame): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + data.length);
  bytes[0] = id;
  new DataView(bytes.buffer).setUint32(1, data.length, true);
  bytes.set(data, HEADER_BYTES);
  return bytes;
}

/**
 * Turns the bytes of a shell v2 stream into frames, however they are cut. Input and output frames are handed on in parts
 * as they come; the others, which are a few bytes, whole. It holds less than `MAX_SMALL_BYTES`.
 */
export class ShellFrameReader {
  readonly #header = new Uint8Array(HEADER_BYTES);
  #headerLength = 0;
  #id = 0;
  #remaining = 0;
  /** A frame that has to be whole, as far as it came. */
  #small: number[] = [];

  /** Throws `AdbError` `PROTOCOL` on a length that no peer sends. The data are views of `chunk`. */
  *push(chunk: Uint8Array): Generator<ShellFrame> {
    let at = 0;
    while (at < chunk.length) {
      if (this.#headerLength < HEADER_BYTES) {
        this.#header[this.#headerLength++] = chunk[at++]!;
        if (this.#headerLength < HEADER_BYTES) continue;
        this.#startFrame();
        if (this.#remaining > 0) continue;
      }
      const data = chunk.subarray(at, at + this.#remaining);
      at += data.length;
      this.#remaining -= data.length;
      if (this.#remaining === 0) this.#headerLength = 0;
      if (isOutput(this.#id)) {
        yield { id: this.#id, data };
      } else {
        this.#small.push(...data);
        if (this.#remaining === 0) yield { id: this.#id, data: new Uint8Array(this.#small.splice(0)) };
      }
    }
  }

  #startFrame(): void {
    this.#id = this.#header[0]!;
    this.#remaining = new DataView(this.#header.buffer).getUint32(1, true);
    const maxBytes = isOutput(this.#id) ? MAX_FRAME_BYTES : MAX_SMALL_BYTES;
    if (this.#remaining > maxBytes)
      throw new AdbError("PROTOCOL", `a shell frame ${this.#id} of ${this.#remaining} bytes`);
  }
}

/** The longest window size is `65535x65535,65535x65535`. */
const MAX_SMALL_BYTES = 64;

const isOutput = (id: number) => id === shellId.stdin || id === shellId.stdout || id === shellId.stderr;
