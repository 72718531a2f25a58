/** One picture on a socket. */
export interface VideoUnit {
  /** Counts up from 0 on each socket. */
  number: number;
  keyFrame: boolean;
  ptsUs: bigint;
  /** From sending a picture until the page has said that it saw it; undefined until it has. */
  roundTripMs: number | undefined;
  /** An Annex B access unit; a key frame begins with its parameter sets. */
  data: Uint8Array;
}

const HEADER_BYTES = 16;
const UNKNOWN = 0xffff;

/**
 * A picture as a binary message of the signalling socket, big-endian:
 *
 *     0  1 for a key frame, else 0        4  number, 4 bytes                    16  the access unit
 *     2  round trip in ms, 2 bytes;       8  presentation time in µs, 8 bytes
 *        65535 if it is not known
 */
export function videoMessage({ number, keyFrame, ptsUs, roundTripMs, data }: VideoUnit): Buffer {
  const message = Buffer.allocUnsafe(HEADER_BYTES + data.length);
  message.writeUInt16BE(keyFrame ? 0x100 : 0, 0);
  message.writeUInt16BE(Math.min(Math.round(roundTripMs ?? UNKNOWN), UNKNOWN), 2);
  message.writeUInt32BE(number, 4);
  message.writeBigUInt64BE(BigInt.asUintN(64, ptsUs), 8);
  message.set(data, HEADER_BYTES);
  return message;
}
