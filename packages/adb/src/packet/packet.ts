import { HEADER_BYTES } from "./constants.ts";

export interface Packet {
  command: number;
  arg0: number;
  arg1: number;
  payload: Uint8Array;
}

/** The sum of all bytes, which adb calls data_crc32. Only peers older than version 0x01000001 look at it. */
export function checksum(payload: Uint8Array): number {
  let sum = 0;
  for (const byte of payload) sum = (sum + byte) >>> 0;
  return sum;
}

/**
 * All little endian:
 *
 *     0        4        8        12       16         20        24
 *     +--------+--------+--------+--------+----------+---------+---------
 *     | command| arg0   | arg1   | length | checksum | ~command| payload
 *     +--------+--------+--------+--------+----------+---------+---------
 *
 * The bytes are copied: the payload may be reused at once. Without `withChecksum` that field is 0.
 */
export function encodePacket({ command, arg0, arg1, payload }: Packet, withChecksum = false): Buffer {
  // Most packets are an OKAY or a short message: Node's pool spares each of them memory of its own.
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(0, command, true);
  view.setUint32(4, arg0, true);
  view.setUint32(8, arg1, true);
  view.setUint32(12, payload.length, true);
  view.setUint32(16, withChecksum ? checksum(payload) : 0, true);
  view.setUint32(20, ~command, true);
  bytes.set(payload, HEADER_BYTES);
  return bytes;
}
