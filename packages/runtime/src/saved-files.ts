import { open } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { ByteReader } from "./byte-reader.ts";
import type { Layer, LayerStore } from "./layers.ts";
import { savedUserData, type UserDataPart } from "./user-data.ts";

const BLOCK = 4096;
const READ_BYTES = 64 * BLOCK;
/** A part has this many blocks on average, or more if there would be too many parts. */
const PART_BLOCKS = 8;
const MAX_PARTS = 16_384;
/** No part is larger than the average by more than this factor, and none, except at the end of its file, smaller by more than this. */
const LARGEST = 8;
const LEAST = 4;
const MAX_HEADER = 65_536;

/** In front of saved files, with its length in four bytes: what each is made on, and its size. */
const Header = z.array(z.object({ base: z.string(), bytes: z.int().min(0) })).max(64);

export interface FileToSave {
  path: string;
  /** What it is made on, and belongs to. */
  base: string;
}

/** Files as user data, the same each time. They are cut where their content says so, so that equal parts of them are stored once. */
export async function* cutFiles(given: readonly FileToSave[]): AsyncGenerator<UserDataPart> {
  const files = await Promise.all(given.map(({ path }) => open(path)));
  try {
    const header = await Promise.all(
      given.map(async ({ base }, at) => ({ base, bytes: (await files[at]!.stat()).size })),
    );
    const blocks = header.reduce((sum, { bytes }) => sum + bytes, 0) / BLOCK;
    let average = PART_BLOCKS;
    while (blocks / average > MAX_PARTS) average *= 2;
    const text = Buffer.from(JSON.stringify(header));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    yield { bytes: each([length, text]) };
    for (const file of files) {
      let part: Buffer[] = [];
      for (let position = 0; ; position += READ_BYTES) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, position);
        for (let at = 0; at < bytesRead; at += BLOCK) {
          const block = buffer.subarray(at, Math.min(at + BLOCK, bytesRead));
          part.push(block);
          // That of a block of zeros, of which there are many, is none of these.
          const isCut = crc32(block) % average === 0 && part.length * LEAST >= average;
          if (!isCut && part.length < average * LARGEST) continue;
          yield { bytes: each(part) };
          part = [];
        }
        if (bytesRead < READ_BYTES) break;
      }
      if (part.length > 0) yield { bytes: each(part) };
    }
  } finally {
    for (const file of files) await file.close();
  }
}

/**
 * Writes files that were saved.
 * @param place says where each goes, by what it is made on, or throws
 * @throws LayerDamagedError; the signal's reason; Error if these are no saved files
 */
export async function restoreFiles(
  layers: readonly Layer[],
  store: LayerStore,
  place: (bases: readonly string[]) => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<void> {
  const reader = new ByteReader(savedUserData(layers, store, signal));
  try {
    const length = (await reader.take(4)).readUInt32BE();
    if (length > MAX_HEADER) throw new Error("these are no saved disks");
    const header = Header.parse(JSON.parse(String(await reader.take(length))));
    const paths = await place(header.map(({ base }) => base));
    for (const [at, { bytes }] of header.entries()) {
      const file = await open(paths[at]!, "w", 0o600);
      try {
        for await (const chunk of reader.stream(bytes)) await file.writeFile(chunk);
      } finally {
        await file.close();
      }
    }
    await drain(reader);
  } catch (error) {
    // A damaged layer is said first: it may be the reason.
    await drain(reader);
    throw error;
  } finally {
    await reader.close();
  }
}

/** Only at its end a layer is known to be whole. */
async function drain(reader: ByteReader): Promise<void> {
  for await (const _ of reader.stream(Infinity));
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
