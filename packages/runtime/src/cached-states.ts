import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isThere } from "./android-sdk.ts";

/** Each is as large as the memory and the data of a device. */
const MAX_STATES = 4;
const UNFINISHED = ".new";
/** One that is not finished by then was begun by a process that has ended. */
const LOST_MS = 60 * 60_000;

/**
 * Devices that have just started for the first time, as folders with their disks and their memory, by what they were started with. Equal
 * ones start from these in place of booting.
 */
export class CachedStates {
  readonly #root: string;
  /** Those that are being made, or could not be. */
  readonly #begun = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Whether nobody makes the state of this key, which whoever asks does then. */
  begin(key: string): boolean {
    if (this.#begun.has(key)) return false;
    this.#begun.add(key);
    return true;
  }

  /** It was called off, or the cached state is damaged: it may be made again. */
  async forget(key: string): Promise<void> {
    this.#begun.delete(key);
    await rm(join(this.#root, key), { recursive: true, force: true });
  }

  /** The folder of this key's state, if there is one. */
  async find(key: string): Promise<string | undefined> {
    const state = join(this.#root, key);
    if (!(await isThere(state))) return undefined;
    await utimes(state, new Date(), new Date()).catch(() => undefined);
    return state;
  }

  /** @param fill puts the state into a new folder, which will be at `place` in the end */
  async add(key: string, fill: (folder: string, place: string) => Promise<void>): Promise<void> {
    await mkdir(this.#root, { recursive: true, mode: 0o700 });
    const temporary = join(this.#root, `${randomUUID()}${UNFINISHED}`);
    try {
      await mkdir(temporary);
      const state = join(this.#root, key);
      await fill(temporary, state);
      await rename(temporary, state);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const states = await Promise.all(
      (await readdir(this.#root)).map(async (name) => {
        const path = join(this.#root, name);
        return { name, path, usedAt: (await stat(path).catch(() => undefined))?.mtimeMs ?? 0 };
      }),
    );
    const latest = states
      .filter(({ name }) => !name.endsWith(UNFINISHED))
      .toSorted((one, other) => other.usedAt - one.usedAt)
      .slice(0, MAX_STATES);
    for (const { name, path, usedAt } of states) {
      const isLost = name.endsWith(UNFINISHED) && usedAt < Date.now() - LOST_MS;
      if (!isLost && (name.endsWith(UNFINISHED) || latest.some((one) => one.name === name))) continue;
      this.#begun.delete(name);
      await rm(path, { recursive: true, force: true });
    }
  }
}
