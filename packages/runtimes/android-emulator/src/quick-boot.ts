import { CachedStates } from "@terrarium/runtime";
import { execFile } from "node:child_process";
import { copyFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const SNAPSHOTS = "snapshots";
/** What belongs to one run. */
const OF_A_RUN = /\.lock$|^hardware-qemu\.ini$|^emu-launch-params\.txt$|^tmpAdbCmds$|^save-/;

/** Devices that have just started for the first time, as their AVDs with a snapshot. */
export class QuickBoot extends CachedStates {
  readonly #qemuImg: string;

  constructor(root: string, qemuImg: string) {
    super(root);
    this.#qemuImg = qemuImg;
  }

  /** Puts the state of this key into a new AVD; false if there is none. */
  async use(key: string, avd: string, signal: AbortSignal): Promise<boolean> {
    const state = await this.find(key);
    if (state !== undefined) await this.#copy(state, avd, avd, signal);
    return state !== undefined;
  }

  /** Saves the AVD of a device that stands still. */
  save(key: string, avd: string, signal: AbortSignal): Promise<void> {
    return this.add(key, (folder, place) => this.#copy(avd, folder, place, signal));
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
}
