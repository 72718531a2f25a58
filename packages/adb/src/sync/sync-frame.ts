import { syncId } from "./constants.ts";

export const FRAME_HEADER_BYTES = 8;

/**
 * What every request and most answers begin with; `value` is the length of what follows, a time, or nothing:
 *
 *     0        4
 *     +--------+--------+
 *     | id     | value  |   little endian
 *     +--------+--------+
 */
export function encodeFrame(id: number, value = 0): Uint8Array {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, id, true);
  view.setUint32(4, value, true);
  return bytes;
}

/** A frame whose value is a length, followed by that many bytes: a path, data, or the message of a FAIL. */
export function encodeBlock(id: number, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES + data.length);
  bytes.set(encodeFrame(id, data.length));
  bytes.set(data, FRAME_HEADER_BYTES);
  return bytes;
}

export function encodeFail(message: string): Uint8Array {
  return encodeBlock(syncId.FAIL, new TextEncoder().encode(message));
}

export function decodeFrame(bytes: Uint8Array): { id: number; value: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { id: view.getUint32(0, true), value: view.getUint32(4, true) };
}
