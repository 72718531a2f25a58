/** A file in a tar archive. */
export interface TarEntry {
  name: string;
  content: Uint8Array;
}

const BLOCK = 512;

/**
 * The header of a file, readable by its owner only. It is a "ustar" header as POSIX's pax describes it; the numbers are octal.
 * @throws TypeError for a name that does not fit: over 100 bytes
 */
export function tarHeader(name: string, size: number): Uint8Array {
  if (Buffer.byteLength(name) > 100) throw new TypeError(`${name} is too long a name for a tar archive`);
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0); // 100 bytes
  header.write("0000600\0", 100); // mode
  header.write("0000000\0", 108); // user
  header.write("0000000\0", 116); // group
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136); // modification time
  header.write("        ", 148); // checksum, counted as spaces
  header.write("0", 156); // type: file
  header.write("ustar", 257);
  header.write("00", 263); // version
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** The zeros that fill up the last block of a file. */
export const tarPadding = (size: number): Uint8Array => new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);

/** Two empty blocks. */
export const tarEnd: Uint8Array = new Uint8Array(2 * BLOCK);

/** Thrown for bytes that are no tar archive, or only the beginning of one. */
export class TarError extends Error {
  override name = "TarError";
}

/**
 * Reads the files of an archive made of such headers, one after the other. Other kinds of entries are not supported.
 * @param maxBytes a larger file is refused
 * @throws TarError
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<TarEntry> {
  const source = bytes[Symbol.asyncIterator]();
  const take = takerFrom(source);
  for (;;) {
    const header = await take(BLOCK);
    if (header.every((byte) => byte === 0)) break;
    const [name = ""] = header.toString("utf8", 0, 100).split("\0");
    const size = Number.parseInt(header.toString("latin1", 124, 136), 8);
    if (!Buffer.from(tarHeader(name, size)).equals(header)) throw new TarError("not a tar header");
    if (size > maxBytes) throw new TarError(`${name} has ${size} bytes`);
    const content = await take(size);
    await take(tarPadding(size).length);
    yield { name, content };
  }
  // Only at its end does a compressed stream find out that it was damaged.
  while (!(await source.next()).done);
}

/** Returns a function that reads the next `size` bytes. */
function takerFrom(source: AsyncIterator<Uint8Array>): (size: number) => Promise<Buffer> {
  let held: Uint8Array = new Uint8Array();
  return async (size) => {
    const parts: Uint8Array[] = [];
    for (let missing = size; missing > 0;) {
      if (held.length === 0) {
        const next = await source.next();
        if (next.done) throw new TarError("the archive ends too early");
        held = next.value;
      }
      const part = held.subarray(0, missing);
      held = held.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  };
}
