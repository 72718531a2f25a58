import { ByteReader, type Layer, type LayerStore, savedUserData, type UserDataPart } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { open, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { overlayOf } from "./arguments.ts";
import type { BaseDisk, Checksums } from "./image.ts";

const run = promisify(execFile);
const BLOCK = 4096;
const READ_BYTES = 64 * BLOCK;
/** On average a part has so many blocks, or more if there would be too many parts. */
const PART_BLOCKS = 8;
const MAX_PARTS = 16_384;
/** No part is larger than the average by so much, and none that ends before the disk is smaller by so much. */
const LARGEST = 8;
const LEAST = 4;
const MAX_HEADER = 65_536;

/** In front of saved overlays, with its length in four bytes: what each is an overlay of, and its size. */
const Header = z.array(z.object({ base: z.string(), bytes: z.int().min(0) })).max(64);

export interface OverlayOptions {
  /** Of the machine. */
  folder: string;
  disks: readonly BaseDisk[];
  /** The program `qemu-img`. */
  qemuImg: string;
  checksums: Checksums;
  signal: AbortSignal;
}

const copyOf = (at: number): string => `save${at}.qcow2`;
const baseOf = (at: number): string => `base${at}`;

/** Makes the overlays of a new machine, and the links by which they find their disks. */
export async function makeOverlays({ folder, disks, qemuImg, signal }: OverlayOptions, dataDiskMb: number) {
  const ask = async (...words: string[]) => (await run(qemuImg, words, { cwd: folder, signal })).stdout;
  await linkBases({ folder, disks });
  for (const [at, { format, isData }] of disks.entries()) {
    const size: string[] = [];
    if (isData) {
      const info = await ask("info", "-U", "--output=json", "-f", format, baseOf(at));
      const { "virtual-size": bytes } = JSON.parse(info) as { "virtual-size": number };
      size.push(String(Math.max(bytes, dataDiskMb * 1024 * 1024)));
    }
    await ask("create", "-q", "-f", "qcow2", "-b", baseOf(at), "-F", format, overlayOf(at), ...size);
  }
}

/**
 * Copies the overlays of a machine that stands still. Other than in these, in the copies what belongs together is in the order of the disk,
 * so that equal disks have equal copies.
 */
export async function copyOverlays({ folder, disks, qemuImg, signal }: OverlayOptions): Promise<void> {
  for (const [at, { format }] of disks.entries()) {
    const words = ["-f", "qcow2", "-O", "qcow2", "-B", baseOf(at), "-F", format, overlayOf(at), copyOf(at)];
    // QEMU has it open.
    await run(qemuImg, ["convert", "-U", ...words], { cwd: folder, signal });
  }
}

export async function removeCopies({ folder, disks }: Pick<OverlayOptions, "folder" | "disks">): Promise<void> {
  for (const at of disks.keys()) await rm(join(folder, copyOf(at)), { force: true });
}

/** The copies as user data, the same each time. They are cut where their content says so. */
export async function* cutCopies({ folder, disks, checksums }: OverlayOptions): AsyncGenerator<UserDataPart> {
  const files = await Promise.all(disks.map((_, at) => open(join(folder, copyOf(at)))));
  try {
    const header = await Promise.all(
      disks.map(async ({ path }, at) => ({ base: await checksums.of(path), bytes: (await files[at]!.stat()).size })),
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
 * Makes the overlays that were saved.
 * @throws LayerDamagedError; the signal's reason; Error if these are no overlays of these disks
 */
export async function restoreOverlays(
  { folder, disks, checksums, signal }: OverlayOptions,
  layers: readonly Layer[],
  store: LayerStore,
): Promise<void> {
  const reader = new ByteReader(savedUserData(layers, store, signal));
  try {
    const length = (await reader.take(4)).readUInt32BE();
    if (length > MAX_HEADER) throw new Error("these are no saved disks");
    const header = Header.parse(JSON.parse(String(await reader.take(length))));
    const bases = await Promise.all(disks.map(({ path }) => checksums.of(path)));
    // On other blocks than its own an overlay is a heap of rubble.
    if (header.length !== bases.length || header.some(({ base }, at) => base !== bases[at]))
      throw new Error("the device was saved with other disks of its image than are there now");
    await linkBases({ folder, disks });
    for (const [at, { bytes }] of header.entries()) {
      const file = await open(join(folder, overlayOf(at)), "w", 0o600);
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

/** A saved overlay names what it is an overlay of, wherever that is. */
async function linkBases({ folder, disks }: Pick<OverlayOptions, "folder" | "disks">): Promise<void> {
  for (const [at, { path }] of disks.entries()) await symlink(resolve(path), join(folder, baseOf(at)));
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}
