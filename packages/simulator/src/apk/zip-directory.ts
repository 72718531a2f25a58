import { inflateRawSync } from "node:zlib";

/** Random access to bytes: a file of the device, or an array in a test. */
export interface RandomAccess {
  readonly size: number;
  read(at: number, length: number): Uint8Array;
}

export interface ZipEntry {
  name: string;
  method: number;
  compressedBytes: number;
  bytes: number;
  headerAt: number;
}

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
/** More than any APK has, and read within a fifth of a second, in which the host does nothing else. */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024;

const text = new TextDecoder();

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The entries of a zip file, read from its central directory alone; undefined when it is not a zip file. */
export function zipEntries(file: RandomAccess): ZipEntry[] | undefined {
  const tailAt = Math.max(0, file.size - END_BYTES - MAX_COMMENT);
  const tail = file.read(tailAt, file.size - tailAt);
  const end = view(tail);
  let endAt = tail.length - END_BYTES;
  while (endAt >= 0 && end.getUint32(endAt, true) !== END_SIGNATURE) endAt--;
  if (endAt < 0) return undefined;
  const [length, at] = [end.getUint32(endAt + 12, true), end.getUint32(endAt + 16, true)];
  if (length > MAX_DIRECTORY_BYTES || at + length > file.size) return undefined;
  const directory = file.read(at, length);
  const fields = view(directory);
  const entries: ZipEntry[] = [];
  for (let here = 0; here + 46 <= directory.length;) {
    if (fields.getUint32(here, true) !== ENTRY_SIGNATURE) return undefined;
    const nameLength = fields.getUint16(here + 28, true);
    const after = here + 46 + nameLength;
    if (after > directory.length) return undefined;
    entries.push({
      name: text.decode(directory.subarray(here + 46, after)),
      method: fields.getUint16(here + 10, true),
      compressedBytes: fields.getUint32(here + 20, true),
      bytes: fields.getUint32(here + 24, true),
      headerAt: fields.getUint32(here + 42, true),
    });
    here = after + fields.getUint16(here + 30, true) + fields.getUint16(here + 32, true);
  }
  return entries;
}

/** One entry unpacked; undefined when it is damaged or would be larger than `maxBytes`. */
export function unzipEntry(file: RandomAccess, entry: ZipEntry, maxBytes: number): Uint8Array | undefined {
  if (entry.bytes > maxBytes || entry.compressedBytes > maxBytes) return undefined;
  const header = file.read(entry.headerAt, 30);
  if (header.length < 30 || view(header).getUint32(0, true) !== LOCAL_SIGNATURE) return undefined;
  const dataAt = entry.headerAt + 30 + view(header).getUint16(26, true) + view(header).getUint16(28, true);
  const data = file.read(dataAt, entry.compressedBytes);
  if (data.length < entry.compressedBytes) return undefined;
  if (entry.method === 0) return data;
  if (entry.method !== 8) return undefined;
  try {
    // It ends at the stated size: nothing else may run meanwhile, and a zip bomb would take minutes.
    const out = inflateRawSync(data, { maxOutputLength: entry.bytes });
    return out.length === entry.bytes ? out : undefined;
  } catch {
    return undefined;
  }
}
