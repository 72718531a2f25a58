import type { Client } from "@terrarium/sdk";
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Product } from "../chaos/product.ts";
import { stockAdb } from "../support/adb.ts";
import { eventually } from "../support/instances.ts";
import { processesOf, type Role } from "../support/processes.ts";
import { pick, randomFrom } from "../support/random.ts";
import { type Image, type Layer, Rows } from "./rows.ts";

export interface SavesOptions {
  seed: number;
  /** Each kills one process while all devices are being saved. */
  kills: number;
  say: (line: string) => void;
}

export interface SavesOutcome {
  kills: Partial<Record<Role, number>>;
  /** Saves that a process was killed in, by what became of the image. */
  old: number;
  new: number;
  /** What is wrong; empty if all is well. */
  wrong: string[];
  /** Files in the store, and those that rows refer to, after a collection. */
  stored: number;
  referred: number;
  left: string[];
}

/** Devices that are saved at the same time, each into a recipe of its own. */
const DEVICES = 4;
/** As many bytes are written to each device before it is saved. */
const CHANGED_BYTES = 300_000;
const ROLES: readonly Role[] = ["gateway", "server", "host"];
const MARK = "/data/local/tmp/mark";
const PAYLOAD = "/data/local/tmp/payload";

interface Saved {
  recipe: string;
  image: string;
  /** What must be on a device that is started from it. */
  mark: string;
}

/**
 * Saves devices again and again while a process of the product is killed at a random moment of the saves. Afterwards each image must be
 * the old or the new one, whole; a device that is started from it must have what was saved, read through adb.
 */
export async function runSaves({ seed, kills, say }: SavesOptions): Promise<SavesOutcome> {
  const random = randomFrom(seed);
  const product = await Product.start();
  const adb = await stockAdb();
  const rows = new Rows(product.dataDir);
  const folder = await mkdtemp(join(tmpdir(), "terrarium-saves-"));
  const payload = join(folder, "payload");
  const outcome: SavesOutcome = { kills: {}, old: 0, new: 0, wrong: [], stored: 0, referred: 0, left: [] };
  const client = (): Client => product.client;

  const startOnline = async (recipe: string): Promise<string> => {
    const body = { instance_name: "saves", rename_on_conflict: true };
    const { uuid } = await eventually("a start", () => client().recipes.start({ params: { uuid: recipe }, body }));
    await eventually(`${uuid} is online`, async () => (await rows.instance(uuid)).state === "ONLINE");
    return uuid;
  };
  const connect = async (uuid: string) =>
    eventually("adb", async () => {
      const device = await adb.connect((await rows.instance(uuid)).adb);
      await device("shell", "true");
      return device;
    });
  const write = async (uuid: string, mark: string): Promise<void> => {
    const device = await connect(uuid);
    await device("push", payload, PAYLOAD);
    await device("shell", `echo ${mark} > ${MARK}`);
  };
  const save = async (uuid: string, action: "update" | "save_as") =>
    client().instances.save({ params: { uuid }, body: { action } });
  const ended = (uuid: string) =>
    eventually(`${uuid} has ended`, async () => ["DELETED", "ERROR"].includes((await rows.instance(uuid)).state));

  try {
    const { results } = await client().recipes.list({
      query: { search: "Phone 6.1", source: "official", page_size: 1 },
    });
    const saved: Saved[] = [];
    let saveMs = 0;
    for (let index = 0; index < DEVICES; index++) {
      await writeFile(payload, randomBytes(CHANGED_BYTES));
      const uuid = await startOnline(results[0]?.uuid ?? "");
      await write(uuid, "first");
      const begun = performance.now();
      const recipe = await save(uuid, "save_as");
      await eventually("a save", async () => (await rows.recipe(recipe.uuid)).status === "READY");
      saveMs = Math.max(saveMs, performance.now() - begun);
      await ended(uuid);
      saved.push({ recipe: recipe.uuid, image: recipe.os_image?.uuid ?? "", mark: "first" });
    }
    say(`a save takes ${Math.round(saveMs)} ms`);

    for (let round = 1; round <= kills; round++) {
      const mark = `round-${round}`;
      await writeFile(payload, randomBytes(CHANGED_BYTES));
      const devices = await Promise.all(
        saved.map(async (each) => {
          const uuid = await startOnline(each.recipe);
          const device = await connect(uuid);
          const found = (await device("shell", "cat", MARK)).stdout.trim();
          if (found !== each.mark) outcome.wrong.push(`round ${round}: ${found} instead of ${each.mark}`);
          await write(uuid, mark);
          return { uuid, each, before: await rows.image(each.image) };
        }),
      );
      const asked = devices.map(async ({ uuid }) => {
        await sleep(random() * saveMs * 0.3);
        // Who was not heard may have been understood.
        await save(uuid, "update").catch(() => undefined);
      });
      await sleep(random() * saveMs * 1.2);
      const role = pick(ROLES, random) ?? "gateway";
      const target = pick(
        (await processesOf(product.dataDir)).filter((one) => one.role === role),
        random,
      );
      if (target) process.kill(target.pid, "SIGKILL");
      outcome.kills[role] = (outcome.kills[role] ?? 0) + 1;
      await Promise.all(asked);
      const became = await Promise.all(
        devices.map(async ({ uuid, each, before }) => {
          // What was killed before the request arrived was not asked for.
          if ((await rows.instance(uuid)).state === "ONLINE")
            await eventually("a stop", () => client().instances.stop({ params: { uuid } }));
          await ended(uuid);
          const after = await rows.image(each.image);
          const { status } = await rows.recipe(each.recipe);
          const what = judge(before, after);
          if (what === "new") each.mark = mark;
          if (what === "neither" || status !== "READY") outcome.wrong.push(`round ${round}: ${what}, recipe ${status}`);
          for (const layer of after.layers)
            if (!(await isWhole(product.dataDir, layer))) outcome.wrong.push(`round ${round}: layer ${layer.sha256}`);
          if (what !== "neither") outcome[what]++;
          return what;
        }),
      );
      say(`killed ${role}: ${became.join(" ")}`);
    }
    await rows.collect();
    const files = new Set(await readdir(join(product.dataDir, "files", "layers")));
    const referred = await rows.referredLayers();
    outcome.stored = files.size;
    outcome.referred = referred.length;
    for (const sha256 of referred.filter((layer) => !files.has(layer))) outcome.wrong.push(`${sha256} is not stored`);
    return outcome;
  } finally {
    await adb.stop();
    outcome.left = await product.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether an image is as it was, or as it was to become; its layers are then others, above which nothing is missing. */
function judge(before: Image, after: Image): "old" | "new" | "neither" {
  if (after.status !== "READY") return "neither";
  const [was, is] = [before.layers, after.layers].map((layers) => JSON.stringify(layers));
  if (was === is) return "old";
  return JSON.stringify(after.previous) === was && after.layers.length > 0 ? "new" : "neither";
}

async function isWhole(dataDir: string, { sha256, size }: Layer): Promise<boolean> {
  const bytes = await readFile(join(dataDir, "files", "layers", sha256)).catch(() => undefined);
  return bytes?.length === size && createHash("sha256").update(bytes).digest("hex") === sha256;
}
