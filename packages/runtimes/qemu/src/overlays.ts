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

/** The copies as user data, the same each time. */
export async function* cutCopies({ folder, disks, checksums }: OverlayOptions): AsyncGenerator<UserDataPart> {
  const bases = await Promise.all(disks.map(({ path }) => checksums.of(path)));
  yield* cutFiles(bases.map((base, at) => ({ path: join(folder, copyOf(at)), base })));
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
  const place = async (saved: readonly string[]) => {
    const bases = await Promise.all(disks.map(({ path }) => checksums.of(path)));
    // On other blocks than its own an overlay is a heap of rubble.
    if (saved.length !== bases.length || saved.some((base, at) => base !== bases[at]))
      throw new Error("the device was saved with other disks of its image than are there now");
    await linkBases({ folder, disks });
    return bases.map((_, at) => join(folder, overlayOf(at)));
  };
  await restoreFiles(layers, store, place, signal);
}

/** A saved overlay names what it is an overlay of, wherever that is. */
async function linkBases({ folder, disks }: Pick<OverlayOptions, "folder" | "disks">): Promise<void> {
  for (const [at, { path }] of disks.entries()) await symlink(resolve(path), join(folder, baseOf(at)));
}
