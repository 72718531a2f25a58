import { pipeline, Readable } from "node:stream";
import { crc32, createDeflateRaw } from "node:zlib";

/** A file of an archive, whose content is made as it is read. */
export interface ZipFile {
  /** In ASCII. */
  name: string;
  content: Iterable<string> | AsyncIterable<string>;
}

const VERSION = 20;
/** Checksum and sizes follow the content, as they are not known before. */
const SIZES_FOLLOW = 0x0008;
const DEFLATED = 8;
/** The first of January 1980: when a file was made does not matter. */
const NO_DATE = 0x0021;

/** A ZIP archive, written as fast as it is read. Neither a file nor the archive may have 4 GiB: no ZIP64. */
export async function* zipped(files: readonly ZipFile[]): AsyncGenerator<Uint8Array> {
  const entries: Uint8Array[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const bytes = Buffer.from(name, "latin1");
    const head = Buffer.concat([signed(0x04034b50), fields(VERSION, bytes.length, [0, 0, 0], [0]), bytes]);
    yield head;
    let [checksum, size, packed] = [0, 0, 0];
    const counted = async function* () {
      for await (const text of content) {
        const part = Buffer.from(text);
        checksum = crc32(part, checksum);
        size += part.length;
        yield part;
      }
    };
    const deflate = createDeflateRaw();
    // Whoever stops reading ends it, and what fails is thrown below.
    pipeline(Readable.from(counted()), deflate, () => undefined);
    for await (const part of deflate as AsyncIterable<Buffer>) {
      packed += part.length;
      yield part;
    }
    const sizes = [checksum, packed, size] as const;
    yield Buffer.concat([signed(0x08074b50), ...sizes.map(long)]);
    // No comment, the first disk, no attributes.
    const place = Buffer.concat([Buffer.alloc(10), long(offset)]);
    entries.push(
      Buffer.concat([signed(0x02014b50), short(VERSION), fields(VERSION, bytes.length, sizes, [0]), place, bytes]),
    );
    offset += head.length + packed + 16;
  }
  const directory = Buffer.concat(entries);
  yield directory;
  const counts = [short(0), short(0), short(files.length), short(files.length)];
  yield Buffer.concat([signed(0x06054b50), ...counts, long(directory.length), long(offset), short(0)]);
}

const short = (value: number) => Buffer.from([value & 0xff, value >> 8]);
function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
const signed = long;

/** What the head of a file and its entry in the directory have in common. */
const fields = (version: number, nameLength: number, sizes: readonly number[], more: readonly number[]) =>
  Buffer.concat([
    ...[version, SIZES_FOLLOW, DEFLATED, 0, NO_DATE].map(short),
    ...sizes.map(long),
    ...[nameLength, ...more].map(short),
  ]);
