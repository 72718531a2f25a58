import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Payload } from "./payload.ts";
import type { Rows } from "./rows.ts";

/** How far a save can be, in order. `stored`: all large files are in the store, but no row says so. */
const STAGES = ["not asked", "asked", "writing", "stored", "saved"] as const;
export type Stage = (typeof STAGES)[number];

/** When a process is killed. */
export const MOMENTS = ["asked", "writing", "stored", "saved"] as const satisfies readonly Stage[];
export type Moment = (typeof MOMENTS)[number];

/** One save, as seen from outside. */
export interface Progress {
  stage: Stage;
  /** Large files that the host has written, and that are stored. */
  written: number;
  stored: number;
}

const POLL_MS = 1;
/** A save that has not come so far by then will not. */
const PATIENCE_MS = 20_000;

export interface Watched {
  uuid: string;
  payload: Payload;
}

/** Looks at saves in the files and the rows of a product. */
export class Moments {
  readonly #dataDir: string;
  readonly #rows: Rows;

  constructor(dataDir: string, rows: Rows) {
    this.#dataDir = dataDir;
    this.#rows = rows;
  }

  async progressOf({ uuid, payload }: Watched): Promise<Progress> {
    const stored = this.#stored(payload);
    const written = Math.max(stored, await this.#written(payload));
    const { state } = await this.#rows.instance(uuid);
    return { stage: stageOf(state, { stored, written, all: payload.files.length }), stored, written };
  }

  /** Resolves when a save has come to a moment. @param random chooses how much of it is written by then */
  async reached(save: Watched, moment: Moment, random: () => number): Promise<void> {
    const { payload } = save;
    const part = Math.floor(random() * payload.files.length);
    const isThere = async (): Promise<boolean> => {
      if (moment === "stored") return this.#stored(payload) === payload.files.length;
      const { stage, stored } = await this.progressOf(save);
      return STAGES.indexOf(stage) >= STAGES.indexOf(moment) && (moment !== "writing" || stored >= part);
    };
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await isThere()) && performance.now() < deadline) await sleep(POLL_MS);
  }

  #stored({ files }: Payload): number {
    return files.filter((sha256) => existsSync(join(this.#dataDir, "files", "layers", sha256))).length;
  }

  /** Each host writes each save in a folder of its own. */
  async #written({ files }: Payload): Promise<number> {
    const all = join(this.#dataDir, "simulator");
    const hosts = (await readdir(all)).filter((name) => /^\d+$/.test(name)).map((name) => join(all, name));
    const inHosts = await Promise.all(hosts.map(namesIn));
    const folders = inHosts.flat().filter((path) => basename(path).startsWith("save-"));
    return files.filter((sha256) => folders.some((folder) => existsSync(join(folder, sha256)))).length;
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).map((name) => join(folder, name));

function stageOf(state: string, { stored, written, all }: { stored: number; written: number; all: number }): Stage {
  if (state === "ONLINE") return "not asked";
  if (state !== "SAVING") return "saved";
  if (stored === all) return "stored";
  return written > 0 ? "writing" : "asked";
}
