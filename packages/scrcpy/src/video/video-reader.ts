import { ByteCursor } from "../bytes/byte-cursor.ts";
import { ScrcpyError } from "../errors.ts";
import {
  DEVICE_NAME_BYTES,
  HEADER_BYTES,
  MAX_PACKET_BYTES,
  MAX_PTS_US,
  MAX_SIDE_PX,
  STREAM_DISABLED_ID,
  STREAM_MISCONFIGURED_ID,
  videoCodecIds,
  type VideoCodec,
} from "./constants.ts";
import type { MediaPacket, VideoEvent, VideoPacket } from "./video-packet.ts";

export interface VideoReaderOptions {
  /** True when the client connects to the device (`tunnel_forward=true`): a zero byte comes first. */
  dummyByte: boolean;
}

type Part = "dummy" | "device" | "codec" | "header" | "data";

const partBytes = { dummy: 1, device: DEVICE_NAME_BYTES, codec: 4, header: HEADER_BYTES };

/**
 * Parses the bytes of a scrcpy 4.1 video socket, in chunks of any size. Buffers at most one packet. The device is not
 * trusted: every length is checked before memory is allocated for it.
 */
export class VideoReader {
  #part: Part;
  /** The part being filled. A new one for each part, because packets are handed out without a copy. */
  #bytes: Uint8Array;
  #filled = 0;
  #packet: MediaPacket | undefined;
  #error: ScrcpyError | undefined;

  constructor({ dummyByte }: VideoReaderOptions) {
    this.#part = dummyByte ? "dummy" : "device";
    this.#bytes = new Uint8Array(partBytes[this.#part]);
  }

  /**
   * Yields complete events one by one, so that those before a fault in the same chunk are seen.
   * Throws `ScrcpyError` `PROTOCOL` or `STREAM_REFUSED`, and again on every later call.
   */
  *push(chunk: Uint8Array): Generator<VideoEvent> {
    if (this.#error) throw this.#error;
    let rest = chunk;
    while (rest.length > 0) {
      const taken = rest.subarray(0, this.#bytes.length - this.#filled);
      this.#bytes.set(taken, this.#filled);
      this.#filled += taken.length;
      rest = rest.subarray(taken.length);
      if (this.#filled < this.#bytes.length) return;
      const event = this.#finishPart();
      if (event) yield event;
    }
  }

  #finishPart(): VideoEvent | undefined {
    const cursor = new ByteCursor(this.#bytes);
    switch (this.#part) {
      case "dummy":
        if (cursor.u8() !== 0) throw this.#fault("PROTOCOL", "the first byte is not 0");
        this.#next("device");
        return undefined;
      case "device": {
        const end = this.#bytes.indexOf(0);
        if (end < 0) throw this.#fault("PROTOCOL", "the device's name does not end");
        this.#next("codec");
        return { type: "device", name: cursor.text(end) };
      }
      case "codec": {
        const codec = this.#codec(cursor.u32());
        this.#next("header");
        return { type: "codec", codec };
      }
      case "header":
        return this.#header(cursor);
      default: {
        const packet = this.#packet;
        this.#next("header");
        return packet;
      }
    }
  }

  #codec(id: number): VideoCodec {
    if (id === STREAM_DISABLED_ID) throw this.#fault("STREAM_REFUSED", "the device gives no video");
    if (id === STREAM_MISCONFIGURED_ID)
      throw this.#fault("STREAM_REFUSED", "the device cannot encode what was asked for");
    for (const [codec, itsId] of Object.entries(videoCodecIds)) if (id === itsId) return codec as VideoCodec;
    throw this.#fault("PROTOCOL", `unknown codec 0x${id.toString(16)}`);
  }

  #header(cursor: ByteCursor): VideoPacket | undefined {
    const first = this.#bytes[0] ?? 0;
    return (first & 0x80) !== 0 ? this.#session(cursor) : this.#startPacket(cursor);
  }

  #session(cursor: ByteCursor): VideoPacket {
    const clientResized = (cursor.u32() & 1) !== 0;
    const width = cursor.u32();
    const height = cursor.u32();
    for (const side of [width, height])
      if (side < 1 || side > MAX_SIDE_PX) throw this.#fault("PROTOCOL", `a video of ${width} x ${height} pixels`);
    this.#next("header");
    return { type: "session", width, height, clientResized };
  }

  #startPacket(cursor: ByteCursor): undefined {
    const flagsAndPts = cursor.i64();
    const length = cursor.u32();
    if (length < 1 || length > MAX_PACKET_BYTES)
      throw this.#fault("PROTOCOL", `a packet of ${length} bytes where ${MAX_PACKET_BYTES} is the most`);
    this.#part = "data";
    this.#filled = 0;
    this.#bytes = new Uint8Array(length);
    const config = (flagsAndPts & (1n << 62n)) !== 0n;
    this.#packet = config
      ? { type: "config", data: this.#bytes }
      : {
          type: "frame",
          keyFrame: (flagsAndPts & (1n << 61n)) !== 0n,
          ptsUs: flagsAndPts & MAX_PTS_US,
          data: this.#bytes,
        };
  }

  #next(part: Exclude<Part, "data">): void {
    this.#part = part;
    this.#filled = 0;
    this.#packet = undefined;
    this.#bytes = new Uint8Array(partBytes[part]);
  }

  #fault(code: "PROTOCOL" | "STREAM_REFUSED", message: string): ScrcpyError {
    this.#error = new ScrcpyError(code, message);
    return this.#error;
  }
}
