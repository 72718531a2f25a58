import type { ByteCursor } from "../bytes/byte-cursor.ts";
import { type MessageForm, MessageReader } from "../bytes/message-reader.ts";
import { ScrcpyError } from "../errors.ts";
import {
  HEADER_BYTES,
  MAX_PACKET_BYTES,
  MAX_PTS_US,
  STREAM_DISABLED_ID,
  STREAM_MISCONFIGURED_ID,
} from "../video/constants.ts";
import type { MediaPacket } from "../video/video-packet.ts";
import { type AudioCodec, audioCodecIds, MAX_AUDIO_PACKET_BYTES } from "./constants.ts";

/**
 * Everything on an audio socket that is not the session's first, in order: the codec once, or why there is no sound, then packets.
 * For opus the configuration is an `OpusHead` (RFC 7845), and each other packet one of opus.
 */
export type AudioEvent = { type: "codec"; codec: AudioCodec | "disabled" | "misconfigured" } | MediaPacket;

const CODEC_BYTES = 4;

/**
 * Parses the bytes of a scrcpy 4.1 audio socket, in chunks of any size. The device is not trusted: every length is checked before
 * its bytes are awaited.
 */
export class AudioReader extends MessageReader<AudioEvent> {
  constructor() {
    super(audioForm(), MAX_PACKET_BYTES);
  }
}

function audioForm(): MessageForm<AudioEvent> {
  let isStarted = false;
  return {
    lengthOf(bytes) {
      if (!isStarted) return CODEC_BYTES;
      if (((bytes[0] ?? 0) & 0x80) !== 0) throw new ScrcpyError("PROTOCOL", "a picture's size among the sound");
      if (bytes.length < HEADER_BYTES) return undefined;
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(HEADER_BYTES - 4);
      if (length < 1 || length > MAX_AUDIO_PACKET_BYTES)
        throw new ScrcpyError("PROTOCOL", `a packet of ${length} bytes where ${MAX_AUDIO_PACKET_BYTES} is the most`);
      return HEADER_BYTES + length;
    },

    read(cursor) {
      if (isStarted) return readPacket(cursor);
      isStarted = true;
      return { type: "codec", codec: codecOf(cursor.u32()) };
    },
  };
}

function readPacket(cursor: ByteCursor): MediaPacket {
  const flagsAndPts = cursor.i64();
  const data = cursor.raw(cursor.u32());
  if ((flagsAndPts & (1n << 62n)) !== 0n) return { type: "config", data };
  return { type: "frame", keyFrame: (flagsAndPts & (1n << 61n)) !== 0n, ptsUs: flagsAndPts & MAX_PTS_US, data };
}

function codecOf(id: number): AudioCodec | "disabled" | "misconfigured" {
  if (id === STREAM_DISABLED_ID) return "disabled";
  if (id === STREAM_MISCONFIGURED_ID) return "misconfigured";
  for (const [codec, itsId] of Object.entries(audioCodecIds)) if (id === itsId) return codec as AudioCodec;
  throw new ScrcpyError("PROTOCOL", `unknown codec 0x${id.toString(16)}`);
}
