import { isThere } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Each is as large as the memory and the data of a device. */
const MAX_STATES = 4;
const UNFINISHED = ".new";
/** One that is not finished by then was begun by a process that has ended. */
const LOST_MS = 60 * 60_000;
const SNAPSHOTS = "snapshots";
/** What belongs to one run. */
const OF_A_RUN = /\.lock$|^hardware-qemu\.ini$|^emu-launch-params\.txt$|^tmpAdbCmds$|^save-/;

/**
 * Devices that have just started for the first time, as their AVDs with a snapshot, by what they were started with. Equal ones start from
 * these in place of booting.
 */
export class QuickBoot {
  readonly #root: string;
  readonly #qemuImg: string;
  /** Those that are being made, or could not be. */
  readonly #begun = new Set<string>();

  constructor(root: string, qemuImg: string) {
    this.#root = root;
    this.#qemuImg = qemuImg;
  }

  /** Whether nobody makes the state of this key, which whoever asks does then. */
  begin(key: string): boolean {
    if (this.#begun.has(key)) return false;
    this.#begun.add(key);
    return true;
  }

  /** It was called off, or what was kept is damaged: it may be made again. */
  async forget(key: string): Promise<void> {
    this.#begun.delete(key);
    await rm(join(this.#root, key), { recursive: true, force: true });
  }

  /** Puts the state of this key into a new AVD; false if there is none. */
  async use(key: string, avd: string, signal: AbortSignal): Promise<boolean> {
    const state = join(this.#root, key);
    if (!(await isThere(state))) return false;
    await utimes(state, new Date(), new Date()).catch(() => undefined);
    await this.#copy(state, avd, avd, signal);
    return true;
  }

  /** Keeps the AVD of a device that stands still. */
  async keep(key: string, avd: string, signal: AbortSignal): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const temporary = join(this.#root, `${randomUUID()}${UNFINISHED}`);
    try {
      await mkdir(temporary);
      const state = join(this.#root, key);
      await this.#copy(avd, temporary, state, signal);
      await rename(temporary, state);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    await this.#removeOldest();
  }

  /**
   * Copies an AVD; what was saved of a memory is only read, and therefore linked.
   * @param place where the copy will be in the end
   */
  async #copy(from: string, to: string, place: string, signal: AbortSignal): Promise<void> {
    const names = (await readdir(from)).filter((name) => name !== SNAPSHOTS && !OF_A_RUN.test(name));
    const paths = names.map((name) => join(from, name));
    // The emulator looks at times of files, too.
    await run("cp", ["-a", "--reflink=auto", "--sparse=auto", "--", ...paths, to], { signal });
    await run("cp", ["-al", "--", join(from, SNAPSHOTS), to], { signal });
    for (const snapshot of await readdir(join(to, SNAPSHOTS))) {
      // Here it counts how often it was loaded.
      const [source, target] = [from, to].map((avd) => join(avd, SNAPSHOTS, snapshot, "snapshot.pb"));
      await rm(target!, { force: true });
      await copyFile(source!, target!).catch(() => undefined);
    }
    for (const name of names.filter((each) => each.endsWith(".qcow2"))) await this.#rebase(join(to, name), from, place);
  }

  /** An overlay names what it is an overlay of, which was copied with it. */
  async #rebase(overlay: string, from: string, to: string): Promise<void> {
    const { stdout } = await run(this.#qemuImg, ["info", "-U", "--output=json", overlay]);
    const { "backing-filename": base } = JSON.parse(stdout) as { "backing-filename"?: string };
    if (base?.startsWith(`${from}/`))
      await run(this.#qemuImg, [
        "rebase",
        "-u",
        "-f",
        "qcow2",
        "-F",
        "raw",
        "-b",
        to + base.slice(from.length),
        overlay,
      ]);
  }

  async #removeOldest(): Promise<void> {
    const states = await Promise.all(
      (await readdir(this.#root)).map(async (name) => {
        const path = join(this.#root, name);
        return { name, path, usedAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const kept = states
      .filter(({ name }) => !name.endsWith(UNFINISHED))
      .toSorted((one, other) => other.usedAt - one.usedAt)
      .slice(0, MAX_STATES);
    for (const { name, path, usedAt } of states) {
      const isLost = name.endsWith(UNFINISHED) && usedAt < Date.now() - LOST_MS;
      if (!isLost && (name.endsWith(UNFINISHED) || kept.some((one) => one.name === name))) continue;
      this.#begun.delete(name);
      await rm(path, { recursive: true, force: true });
    }
  }
}
