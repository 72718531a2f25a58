import { type AudioCodec, audioCodecIds } from "../audio/constants.ts";
import { ByteWriter } from "../bytes/byte-writer.ts";
import { utf8Within } from "../bytes/utf8.ts";
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
import type { MediaPacket, VideoPacket, VideoSession } from "./video-packet.ts";

/** The byte a listening device sends first, on its first socket only, to prove that something is listening. */
export const dummyByte = new Uint8Array([0]);

/** The device's name as sent on the first socket: 64 bytes; a name over 63 bytes is cut at a character boundary. */
export function encodeDeviceName(name: string): Uint8Array {
  return new ByteWriter(DEVICE_NAME_BYTES).raw(utf8Within(name, DEVICE_NAME_BYTES - 1)).bytes;
}

/** The codec, or why there is no stream: after `disabled` the client continues without it, after `misconfigured` it ends. */
export function encodeCodec(codec: VideoCodec | AudioCodec | "disabled" | "misconfigured"): Uint8Array {
  const id =
    codec === "disabled"
      ? STREAM_DISABLED_ID
      : codec === "misconfigured"
        ? STREAM_MISCONFIGURED_ID
        : { ...videoCodecIds, ...audioCodecIds }[codec];
  return new ByteWriter(4).u32(id).bytes;
}

/** Encodes a packet, of video or of sound, with its header. To avoid copying a frame, write `encodeVideoHeader` and then the data. */
export function encodeVideo(packet: VideoPacket): Uint8Array {
  const header = encodeVideoHeader(packet);
  return packet.type === "session"
    ? header
    : new ByteWriter(HEADER_BYTES + packet.data.length).raw(header).raw(packet.data).bytes;
}

/** The 12 bytes before a packet's data. Throws `ScrcpyError` `INVALID_ARGUMENT` when a size or time does not fit. */
export function encodeVideoHeader(packet: VideoPacket): Uint8Array {
  return packet.type === "session" ? encodeSession(packet) : encodeMediaHeader(packet);
}

/*
 * 10000000 00000000 00000000 0000000R   width u32   height u32
 * ^                                 ^
 * session packet                    resized by the client
 */
function encodeSession({ width, height, clientResized }: VideoSession): Uint8Array {
  for (const side of [width, height])
    if (!Number.isInteger(side) || side < 1 || side > MAX_SIDE_PX)
      throw new ScrcpyError("INVALID_ARGUMENT", `a side of ${side} pixels`);
  return new ByteWriter(HEADER_BYTES)
    .u32((0x80000000 | (clientResized ? 1 : 0)) >>> 0)
    .u32(width)
    .u32(height).bytes;
}

/*
 * 0CK..... ........ ........ ........ ........ ........ ........ ........   size u32
 * ^^^<---------------------------- 61 bits: time stamp ----------------->
 * ||`- key frame
 * |`- configuration: its time stamp is 0
 * `- media packet
 */
function encodeMediaHeader(packet: MediaPacket): Uint8Array {
  const { length } = packet.data;
  if (length < 1 || length > MAX_PACKET_BYTES) throw new ScrcpyError("INVALID_ARGUMENT", `a packet of ${length} bytes`);
  let flagsAndPts = 1n << 62n;
  if (packet.type === "frame") {
    if (packet.ptsUs < 0n || packet.ptsUs > MAX_PTS_US)
      throw new ScrcpyError("INVALID_ARGUMENT", `a time stamp of ${packet.ptsUs} us`);
    flagsAndPts = packet.keyFrame ? packet.ptsUs | (1n << 61n) : packet.ptsUs;
  }
  return new ByteWriter(HEADER_BYTES).u64(flagsAndPts).u32(length).bytes;
}
