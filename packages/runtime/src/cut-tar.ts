import { ByteReader } from "./byte-reader.ts";
import type { UserDataPart } from "./user-data.ts";

const BLOCK = 512;
/** A file of at least this many bytes is a layer of its own, so that equal ones are stored once. */
const LARGE_FILE = 128 * 1024;
/** The others share layers, with a maximum of bytes and an average number of files. */
const MAX_SHARED = 4 * 1024 * 1024;
const SHARED_FILES = 64;

/**
 * Cuts a tar where its content says so, so that what has not changed is the same part again: a large file is one, and others share some.
 * @throws Error if the tar does not end as one does
 */
export async function* cutTar(tar: AsyncIterable<Uint8Array>): AsyncGenerator<UserDataPart> {
  const reader = new ByteReader(tar);
  let shared: Buffer[] = [];
  let sharedBytes = 0;
  let isComplete = false;
  const share = (bytes: Buffer) => {
    shared.push(bytes);
    sharedBytes += bytes.length;
  };
  const flush = function* (): Generator<UserDataPart> {
    if (sharedBytes > 0) yield { bytes: once(Buffer.concat(shared)) };
    shared = [];
    sharedBytes = 0;
  };
  try {
    for (let header = await reader.take(BLOCK); header.length > 0; header = await reader.take(BLOCK)) {
      share(header);
      isComplete ||= header.every((byte) => byte === 0);
      const size = tarSizeOf(header);
      const padding = -size & (BLOCK - 1);
      if (size >= LARGE_FILE) {
        yield* flush();
        yield { bytes: reader.stream(size) };
        share(await reader.take(padding));
      } else share(await reader.take(size + padding));
      // The sum over the header of a file stays as long as the file is as it was.
      if (sharedBytes > MAX_SHARED || numberIn(header, 148, 6) % SHARED_FILES === 1) yield* flush();
    }
    yield* flush();
  } finally {
    // Whoever sends would wait for whoever reads.
    await reader.close();
  }
  if (!isComplete) throw new Error("not all of the user data was sent");
}

/**
 * Makes one tar of those that follow each other: what a device has to pack may be too much for one call of its program. Whether all of them
 * have come is for the caller to check.
 */
export async function* joinTars(tars: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const reader = new ByteReader(tars);
  try {
    for (let header = await reader.take(BLOCK); header.length > 0; header = await reader.take(BLOCK)) {
      if (header.every((byte) => byte === 0)) continue;
      yield header;
      const size = tarSizeOf(header);
      yield* reader.stream(size + (-size & (BLOCK - 1)));
    }
    yield Buffer.alloc(2 * BLOCK);
  } finally {
    await reader.close();
  }
}

/** Of what follows a header: octal, or binary if it is larger than that can say. */
function tarSizeOf(header: Buffer): number {
  return (header[124] ?? 0) & 0x80 ? header.readUIntBE(130, 6) : numberIn(header, 124, 12);
}

/** Octal; 0 if it is no number, which only cuts elsewhere. */
const numberIn = (header: Buffer, at: number, length: number): number =>
  Number.parseInt(header.toString("latin1", at, at + length), 8) || 0;

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
