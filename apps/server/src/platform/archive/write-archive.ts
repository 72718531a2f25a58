import { pipeline } from "node:stream";
import { createGzip } from "node:zlib";
import { FORMAT, MANIFEST, PART_BYTES, type Part, partOf } from "./manifest.ts";
import { type TarEntry, tarEnd, tarHeader, tarPadding } from "./tar.ts";
import { writeWhole } from "../files/write-whole.ts";

/**
 * Writes parts to a tar.gz file, and a manifest with the SHA-256 of each. The file is complete or absent, as with `writeWhole`.
 * @param describe the manifest's `content`; called after the last part
 * @returns the size of the file in bytes
 */
export async function writeArchive(
  path: string,
  parts: AsyncIterable<TarEntry>,
  describe: () => unknown,
): Promise<number> {
  return (await writeWhole(path, gzipOf(tarOf(parts, describe)))).size;
}

async function* gzipOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Speed counts: backups are made while the service runs. The callback has nothing to do: whoever reads gets the error.
  yield* pipeline(content, createGzip({ level: 1, chunkSize: 1 << 18 }), () => undefined);
}

async function* tarOf(parts: AsyncIterable<TarEntry>, describe: () => unknown): AsyncGenerator<Uint8Array> {
  const written: Part[] = [];
  for await (const { name, content } of parts) {
    written.push(partOf(name, content));
    yield* entry(name, content);
  }
  const manifest = { format: FORMAT, content: describe(), parts: written };
  yield* entry(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  yield tarEnd;
}

function* entry(name: string, content: Uint8Array): Generator<Uint8Array> {
  yield tarHeader(name, content.byteLength);
  yield content;
  yield tarPadding(content.byteLength);
}

/** Cuts a stream into parts of limited size, `NAME.000001` and so on; an empty stream is one empty part. */
export async function* inParts(name: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  let number = 0;
  const part = (): TarEntry => {
    const full = Buffer.concat(held);
    held = [];
    bytes = 0;
    return { name: `${name}.${String(++number).padStart(6, "0")}`, content: full };
  };
  for await (const chunk of content) {
    held.push(chunk);
    bytes += chunk.byteLength;
    if (bytes >= PART_BYTES) yield part();
  }
  if (bytes > 0 || number === 0) yield part();
}
