import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { FORMAT, MANIFEST, PART_BYTES, type Part, partOf } from "./manifest.ts";
import { type TarEntry, tarEnd, tarHeader, tarPadding } from "./tar.ts";
import { syncDirectory } from "../files/sync-directory.ts";

/**
 * Writes parts to a tar.gz file, and a manifest with the SHA-256 of each. The file is written next to its final place (`.part`), flushed to
 * disk and renamed, so that it is complete or absent; a file that is already there is replaced at the end. Only its owner can read it.
 * @param describe the manifest's `content`; called after the last part
 * @returns the size of the file in bytes
 */
export async function writeArchive(
  path: string,
  parts: AsyncIterable<TarEntry>,
  describe: () => unknown,
): Promise<number> {
  const temporary = `${path}.part`;
  // Left there by a process that was killed.
  await rm(temporary, { force: true });
  const file = await open(temporary, "wx", 0o600);
  const { ino } = await file.stat();
  try {
    // Speed counts: backups are made while the service runs.
    await pipeline(tarOf(parts, describe), createGzip({ level: 1 }), file.createWriteStream({ flush: true }));
    const { ino: present, size } = await stat(temporary);
    if (present !== ino) throw new Error(`Another backup is being written to ${path}`);
    await rename(temporary, path);
    await syncDirectory(dirname(path));
    return size;
  } catch (error) {
    await file.close().catch(() => undefined);
    const found = await stat(temporary).catch(() => undefined);
    if (found?.ino === ino) await rm(temporary, { force: true });
    throw error;
  }
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
