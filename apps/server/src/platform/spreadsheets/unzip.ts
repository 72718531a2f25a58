import { crc32, inflateRawSync } from "node:zlib";
import { TableError } from "./table-error.ts";

const END = Buffer.from("PK\u0005\u0006");
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;
/** The type of a symbolic link in the upper bits of the attributes that Unix writes. */
const LINK = 0xa;

export interface ZipLimits {
  maxEntries: number;
  /** Of all entries that are wanted together, unpacked. */
  maxBytes: number;
}

interface Entry {
  name: string;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  offset: number;
}

/**
 * Unpacks those entries of a ZIP file that are wanted. Only the directory at its end counts, as different readers would otherwise see
 * different files; it must be true of every entry, and no entry may share bytes with another. Sizes are checked before anything is
 * unpacked, and while it is.
 * @throws TableError tooLarge; unreadable for what is damaged, lies, is encrypted, or names places outside
 */
export function unzip(bytes: Buffer, wanted: (name: string) => boolean, limits: ZipLimits): Map<string, Buffer> {
  const { entries, start } = readDirectory(bytes, limits.maxEntries);
  const data = new Map(placesOf(bytes, entries, start));
  const chosen = entries.filter(({ name }) => wanted(name));
  if (chosen.reduce((sum, { unpacked }) => sum + unpacked, 0) > limits.maxBytes) throw new TableError("tooLarge");
  return new Map(chosen.map((entry) => [entry.name, unpack(entry, data.get(entry) ?? Buffer.alloc(0))]));
}

function readDirectory(bytes: Buffer, maxEntries: number): { entries: Entry[]; start: number } {
  const end = bytes.lastIndexOf(END);
  check(end >= bytes.length - END_BYTES - MAX_COMMENT_BYTES && end >= 0 && end + END_BYTES <= bytes.length);
  const count = bytes.readUInt16LE(end + 10);
  if (count > maxEntries) throw new TableError("tooLarge");
  const start = bytes.readUInt32LE(end + 16);
  const entries: Entry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    check(at + ENTRY_BYTES <= end && bytes.readUInt32LE(at) === ENTRY);
    const name = bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + bytes.readUInt16LE(at + 28));
    check((bytes.readUInt16LE(at + 8) & ENCRYPTED) === 0 && bytes.readUInt32LE(at + 38) >>> 28 !== LINK);
    check(!/(^|[\\/])\.\.([\\/]|$)|^[\\/]|\0/.test(name) && !entries.some((entry) => entry.name === name));
    entries.push({
      name,
      method: bytes.readUInt16LE(at + 10),
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      unpacked: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  check(at <= end);
  return { entries, start };
}

/** Where each entry's bytes are: one after the other, before the directory. */
function* placesOf(bytes: Buffer, entries: readonly Entry[], directory: number): Generator<[Entry, Buffer]> {
  let free = 0;
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const { offset, packed } = entry;
    check(offset >= free && offset + LOCAL_BYTES <= directory && bytes.readUInt32LE(offset) === LOCAL);
    const from = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    free = from + packed;
    check(free <= directory);
    yield [entry, bytes.subarray(from, free)];
  }
}

function unpack({ method, crc, unpacked }: Entry, data: Buffer): Buffer {
  check(method === STORED || method === DEFLATED);
  let content = data;
  try {
    // One byte more than it says, which shows that it lies.
    if (method === DEFLATED) content = inflateRawSync(data, { maxOutputLength: unpacked + 1 });
  } catch (cause) {
    throw new TableError("unreadable", { cause });
  }
  check(content.length === unpacked && crc32(content) === crc);
  return content;
}

function check(isTrue: boolean): asserts isTrue {
  if (!isTrue) throw new TableError("unreadable");
}
