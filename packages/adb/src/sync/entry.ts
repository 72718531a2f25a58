import type { FileEntry } from "../daemon/device-files.ts";
import { syncId } from "./constants.ts";
import { encodeStat, encodeStat2 } from "./stat.ts";

/** DENT after its id: a stat, and the length of the name that follows. */
export const ENTRY_BYTES = 16;
/** DNT2 after its id. */
export const ENTRY2_BYTES = 72;

/**
 *     0      4                  length-4
 *     +------+------------------+--------+-----
 *     | DENT | stat without id  | namelen| name
 *     +------+------------------+--------+-----
 */
export function encodeEntry(entry: FileEntry): Uint8Array {
  return withName(syncId.DENT, encodeStat(entry), entry.name);
}

/** The same with a stat of version 2, as DNT2. */
export function encodeEntry2(entry: FileEntry): Uint8Array {
  return withName(syncId.DNT2, encodeStat2(entry), entry.name);
}

/** DONE, as long as an entry without a name. */
export function encodeListEnd(isVersion2: boolean): Uint8Array {
  const bytes = new Uint8Array(4 + (isVersion2 ? ENTRY2_BYTES : ENTRY_BYTES));
  new DataView(bytes.buffer).setUint32(0, syncId.DONE, true);
  return bytes;
}

function withName(id: number, stat: Uint8Array, name: string): Uint8Array {
  const nameBytes = new TextEncoder().encode(name);
  const bytes = new Uint8Array(4 + stat.length + 4 + nameBytes.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, id, true);
  bytes.set(stat, 4);
  view.setUint32(4 + stat.length, nameBytes.length, true);
  bytes.set(nameBytes, 8 + stat.length);
  return bytes;
}
