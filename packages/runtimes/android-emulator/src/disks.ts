import { cutFiles, type Layer, type LayerStore, restoreFiles, type UserDataPart } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { access, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** What survives a reboot of Android: its data, and the key that they are encrypted with. The emulator writes to overlays of these. */
const DISKS = ["userdata-qemu.img", "encryptionkey.img"] as const;

export interface DiskOptions {
  /** The folder of the AVD. */
  avd: string;
  /** The program `qemu-img` of the emulator. */
  qemuImg: string;
  signal: AbortSignal;
}

const copyOf = (disk: string): string => `save-${disk}.qcow2`;

/** Copies the disks of a machine that stands still, whole and in the order of the disk, so that equal disks have equal copies. */
export async function copyDisks({ avd, qemuImg, signal }: DiskOptions): Promise<void> {
  for (const disk of await presentIn(avd))
    await run(qemuImg, ["convert", "-U", "-f", "qcow2", "-O", "qcow2", `${disk}.qcow2`, copyOf(disk)], {
      cwd: avd,
      signal,
    });
}

export async function removeCopies(avd: string): Promise<void> {
  for (const disk of DISKS) await rm(join(avd, copyOf(disk)), { force: true });
}

/** The copies as user data, the same each time. */
export async function* cutCopies(avd: string): AsyncGenerator<UserDataPart> {
  yield* cutFiles((await presentIn(avd)).map((disk) => ({ path: join(avd, copyOf(disk)), base: disk })));
}

/**
 * Puts saved disks into a new AVD, before the emulator has seen it.
 * @throws LayerDamagedError; the signal's reason; Error if these are no disks of an emulator
 */
export async function restoreDisks({ avd, qemuImg, signal }: DiskOptions, layers: readonly Layer[], store: LayerStore) {
  let saved: readonly string[] = [];
  await restoreFiles(
    layers,
    store,
    async (disks) => {
      if (!disks.every((disk) => DISKS.some((known) => known === disk)))
        throw new Error("these are no saved disks of an emulator");
      saved = disks;
      return disks.map((disk) => join(avd, copyOf(disk)));
    },
    signal,
  );
  for (const disk of saved) {
    await run(qemuImg, ["convert", "-f", "qcow2", "-O", "raw", copyOf(disk), disk], { cwd: avd, signal });
    await rm(join(avd, copyOf(disk)));
  }
}

/** The overlays that the emulator has made; older images have no encryption. */
async function presentIn(avd: string): Promise<string[]> {
  const present: string[] = [];
  for (const disk of DISKS)
    if (
      await access(join(avd, `${disk}.qcow2`)).then(
        () => true,
        () => false,
      )
    )
      present.push(disk);
  return present;
}
