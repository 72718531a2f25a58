import {
  type Checksums,
  cutFiles,
  type Layer,
  type LayerStore,
  restoreFiles,
  type UserDataPart,
} from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { overlayOf } from "./arguments.ts";
import type { BaseDisk } from "./image.ts";

const run = promisify(execFile);

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
/** The file with the memory of a machine that is saved, or is to go on. */
export const memoryIn = (folder: string): string => join(folder, "memory");
const OF_MEMORY = "memory:";
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
  for (const path of [...[...disks.keys()].map((at) => join(folder, copyOf(at))), memoryIn(folder)])
    await rm(path, { force: true });
}

/** Makes the overlays of a machine that are equal to those in another folder, whose machine stands still. */
export async function cloneOverlays({ disks, signal }: OverlayOptions, from: string, to: string): Promise<void> {
  const paths = [...disks.keys()].map((at) => join(from, overlayOf(at)));
  await run("cp", ["--reflink=auto", "--sparse=auto", "--", ...paths, to], { signal });
}

/** The copies as user data, the same each time. @param memoryKey with the memory, for machines that have the same key */
export async function* cutCopies(
  { folder, disks, checksums }: OverlayOptions,
  memoryKey: string | undefined,
): AsyncGenerator<UserDataPart> {
  const bases = await Promise.all(disks.map(({ path }) => checksums.of(path)));
  const files = bases.map((base, at) => ({ path: join(folder, copyOf(at)), base }));
  if (memoryKey !== undefined) files.push({ path: memoryIn(folder), base: OF_MEMORY + memoryKey });
  yield* cutFiles(files);
}

/**
 * Makes the overlays that were saved, and the file with the memory if one was saved that fits. Answers whether there is one.
 * @throws LayerDamagedError; the signal's reason; Error if these are no overlays of these disks
 */
export async function restoreOverlays(
  { folder, disks, checksums, signal }: OverlayOptions,
  layers: readonly Layer[],
  store: LayerStore,
  memoryKey: string,
): Promise<boolean> {
  let hasMemory = false;
  const place = async (all: readonly string[]) => {
    const memory = all.find((base) => base.startsWith(OF_MEMORY));
    const saved = all.filter((base) => base !== memory);
    hasMemory = memory === OF_MEMORY + memoryKey;
    const bases = await Promise.all(disks.map(({ path }) => checksums.of(path)));
    // On other blocks than its own an overlay is a heap of rubble.
    if (saved.length !== bases.length || saved.some((base, at) => base !== bases[at]))
      throw new Error("the device was saved with other disks of its image than are there now");
    await linkBases({ folder, disks });
    const paths = bases.map((_, at) => join(folder, overlayOf(at)));
    return memory === undefined ? paths : [...paths, hasMemory ? memoryIn(folder) : "/dev/null"];
  };
  await restoreFiles(layers, store, place, signal);
  return hasMemory;
}

/** A saved overlay names what it is an overlay of, wherever that is. */
export async function linkBases({ folder, disks }: Pick<OverlayOptions, "folder" | "disks">): Promise<void> {
  for (const [at, { path }] of disks.entries()) await symlink(resolve(path), join(folder, baseOf(at)));
}
