import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Product } from "../chaos/product.ts";
import { stockAdb } from "../support/adb.ts";
import type { Role } from "../support/processes.ts";
import { pick, randomFrom } from "../support/random.ts";
import { Devices, type Running, type Saved } from "./devices.ts";
import { killAt } from "./kill-at.ts";
import { type Moment, MOMENTS, Moments } from "./moments.ts";
import { type Image, type Layer, Rows } from "./rows.ts";

export interface SavesOptions {
  seed: number;
  /** Each kills one process while all devices are being saved. */
  kills: number;
  say: (line: string) => void;
  /** See `newDataDir`. */
  prepared?: string;
}

export interface SavesOutcome {
  /** By role and moment. */
  kills: Record<string, number>;
  /** Saves by how far they were when a process was killed, and by what became of the image: `writing, old`. */
  became: Record<string, number>;
  /** What is wrong; empty if all is well. */
  wrong: string[];
  /** Files in the store, and those that rows refer to, after a collection. */
  stored: number;
  referred: number;
  /** Processes that were left when the product had stopped. */
  left: string[];
}

/** Devices that are saved at the same time, each into a recipe of its own. */
export const DEVICES = 3;
const ROLES = ["gateway", "server", "host"] as const satisfies readonly Role[];
/** What images do not refer to any more would fill the disk. */
const ROUNDS_PER_COLLECTION = 5;
/** Requests to save come within this time. */
const ASKING_MS = 30;
/** The least there is, so that what devices start from is fetched from the store. */
const ENVIRONMENT = { TERRARIUM_SIMULATOR_LAYER_CACHE_MB: "0" };

/**
 * Saves devices again and again while a process of the product is killed at a moment of the saves that is drawn. Afterwards each image must
 * be the old or the new one, whole; a device that is started from it must have what was saved, read through adb.
 */
export async function runSaves({ seed, kills, say, prepared }: SavesOptions): Promise<SavesOutcome> {
  const random = randomFrom(seed);
  const product = await Product.start(prepared, ENVIRONMENT);
  const adb = await stockAdb();
  const folder = await mkdtemp(join(tmpdir(), "terrarium-saves-"));
  const rows = new Rows(product.dataDir);
  const moments = new Moments(product.dataDir, rows);
  const devices = new Devices({ product, rows, adb, folder });
  const outcome: SavesOutcome = { kills: {}, became: {}, wrong: [], stored: 0, referred: 0, left: [] };

  /** Sees what became of a save once its device has ended. @returns `old`, `new` or `neither` */
  const judgeSave = async (device: Running, before: Image, isSaved: boolean): Promise<string> => {
    const { saved, payload } = device;
    await devices.untilEnded(device);
    const after = await rows.image(saved.image);
    const { status } = await rows.recipe(saved.recipe);
    const what = judge(before, after);
    if (what === "new") saved.payload = payload;
    if (what === "neither") outcome.wrong.push(`the image was ${describe(before)} and is ${describe(after)}`);
    if (what === "old" && isSaved) outcome.wrong.push("the image is the old one, although the device was SAVED");
    if (status !== "READY") outcome.wrong.push(`the recipe is ${status}`);
    for (const layer of after.layers)
      if (!(await isWhole(product.dataDir, layer))) outcome.wrong.push(`layer ${layer.sha256} is not whole`);
    return what;
  };

  const oneKill = async (saved: readonly Saved[], role: Role, moment: Moment): Promise<void> => {
    const running = await Promise.all(saved.map((each, index) => devices.start(each, String(index))));
    const before = await Promise.all(saved.map(({ image }) => rows.image(image)));
    for (const { found, expected } of running)
      if (found !== expected) outcome.wrong.push(`a device has ${found} instead of ${expected}`);
    const asked = running.map(async (device) => {
      await sleep(random() * ASKING_MS);
      // Who was not heard may have been understood.
      await devices.save(device, "update").catch(() => undefined);
    });
    const reached = moments.reached(pick(running, random)!, moment, random);
    const killed = await killAt({ reached, role, random, dataDir: product.dataDir }, () =>
      Promise.all(running.map((device) => moments.progressOf(device))),
    );
    await Promise.all(asked);
    const lines = await Promise.all(
      running.map(async (device, index) => {
        const { stage, written, stored } = killed[index]!;
        const what = await judgeSave(device, before[index]!, stage === "saved");
        count(outcome.became, `${stage}, ${what}`);
        return `${stage}${stage === "writing" ? ` (${written} files written, ${stored} stored)` : ""}: ${what}`;
      }),
    );
    count(outcome.kills, `${role} when ${moment}`);
    say(`killed ${role} when ${moment}; ${lines.join("; ")}`);
  };

  const collect = async (): Promise<void> => {
    await rows.collect();
    const files = new Set(await readdir(join(product.dataDir, "files", "layers")));
    const referred = await rows.referredLayers();
    outcome.stored = files.size;
    outcome.referred = referred.length;
    for (const sha256 of referred.filter((layer) => !files.has(layer))) outcome.wrong.push(`${sha256} is not stored`);
    if (files.size > referred.length)
      outcome.wrong.push(`${files.size} layers are stored, but only ${referred.length} are used`);
  };

  try {
    const saved = await devices.firstRecipes(DEVICES);
    say(`${DEVICES} devices are saved`);
    for (let round = 0; round < kills; round++) {
      // Each pair of a role and a moment in turn, from one that is drawn.
      const pair = seed + round;
      await oneKill(saved, ROLES[pair % ROLES.length]!, MOMENTS[pair % MOMENTS.length]!);
      if (round % ROUNDS_PER_COLLECTION === ROUNDS_PER_COLLECTION - 1) await collect();
    }
    await collect();
    return outcome;
  } finally {
    await rows.close();
    await adb.stop();
    outcome.left = await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Whether an image is as it was, or as it was to become; its layers are then others, above which nothing is missing. */
function judge(before: Image, after: Image): "old" | "new" | "neither" {
  if (after.status !== "READY") return "neither";
  const [was, is] = [before.layers, after.layers].map((layers) => JSON.stringify(layers));
  if (was === is) return "old";
  return JSON.stringify(after.previous) === was && after.layers.length > 0 ? "new" : "neither";
}

const describe = ({ status, layers }: Image): string =>
  `${status} with ${layers.map(({ sha256 }) => sha256.slice(0, 8)).join(" ")}`;

async function isWhole(dataDir: string, { sha256, size }: Layer): Promise<boolean> {
  const bytes = await readFile(join(dataDir, "files", "layers", sha256)).catch(() => undefined);
  return bytes?.length === size && createHash("sha256").update(bytes).digest("hex") === sha256;
}
