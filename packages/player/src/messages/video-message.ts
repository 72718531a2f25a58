/** One picture on a socket. */
export interface VideoUnit {
  /** Counts up from 0 on each socket. */
  number: number;
  keyFrame: boolean;
  ptsUs: bigint;
  /** An Annex B access unit; a key frame begins with its parameter sets. */
  data: Uint8Array;
}

const HEADER_BYTES = 16;
const SOUND = 2;

/**
 * A picture as a binary message of the signalling socket, big-endian:
 *
 *     0  1 for a key frame, else 0; 1 byte     8  presentation time in µs, 8 bytes
 *     4  number, 4 bytes                      16  the access unit
 */
export function videoMessage({ number, keyFrame, ptsUs, data }: VideoUnit): Buffer {
  const message = Buffer.allocUnsafe(HEADER_BYTES + data.length);
  message.writeUInt32BE(keyFrame ? 0x1000000 : 0, 0);
  message.writeUInt32BE(number, 4);
  message.writeBigUInt64BE(BigInt.asUintN(64, ptsUs), 8);
  message.set(data, HEADER_BYTES);
  return message;
}

/**
 * A packet of opus as a binary message of the same socket, in the same form; its first byte is 2, and its numbers are its own, from 0.
 */
export function soundMessage({ number, ptsUs, data }: Omit<VideoUnit, "keyFrame">): Buffer {
  const message = videoMessage({ number, keyFrame: false, ptsUs, data });
  message[0] = SOUND;
  return message;
}

/** Answers a page that asks how long a message takes: with its own time. */
export function echoMessage(at: number): string {
  return JSON.stringify({ type: "VIDEO", at });
}
