import { join } from "node:path";
import type { Product } from "../chaos/product.ts";
import type { stockAdb } from "../support/adb.ts";
import { type Payload, writePayload } from "./payload.ts";
import { patiently } from "./patiently.ts";
import type { Rows } from "./rows.ts";

/** A recipe into which a device was saved. */
export interface Saved {
  recipe: string;
  image: string;
  /** What is on a device that is started from it. */
  payload: Payload;
}

/** A device that was started from a recipe, with something new on it. */
export interface Running {
  uuid: string;
  saved: Saved;
  /** What was on it before, and what should have been. */
  found: string;
  expected: string;
  payload: Payload;
}

const FOLDER = "/data/local/tmp/saves";
const OVER = new Set(["DELETED", "ERROR"]);

export interface DevicesOptions {
  product: Product;
  rows: Rows;
  adb: Awaited<ReturnType<typeof stockAdb>>;
  /** For files that are pushed. */
  folder: string;
}

/** Starts, changes and saves devices as a user does, through the API and adb. */
export class Devices {
  readonly #options: DevicesOptions;

  constructor(options: DevicesOptions) {
    this.#options = options;
  }

  /** Saves so many devices, each as a new recipe. */
  async firstRecipes(count: number): Promise<Saved[]> {
    const { client } = this.#options.product;
    const { results } = await client.recipes.list({
      query: { search: "Phone 6.1", source: "official", page_size: 1 },
    });
    const saveFirst = async (index: number): Promise<Saved> => {
      const uuid = await this.#startOnline(results[0]?.uuid ?? "");
      const payload = await this.#change(uuid, String(index));
      const recipe = await this.save({ uuid }, "save_as");
      const { rows } = this.#options;
      await patiently("a save", async () => (await rows.recipe(recipe.uuid)).status === "READY");
      return { recipe: recipe.uuid, image: recipe.os_image?.uuid ?? "", payload };
    };
    return Promise.all(Array.from({ length: count }, (_, index) => saveFirst(index)));
  }

  /** Starts a device, reads a digest of what is on it, and changes it. @param name of a folder for its files */
  async start(saved: Saved, name: string): Promise<Running> {
    const uuid = await this.#startOnline(saved.recipe);
    const found = await patiently("adb", async () => {
      const device = await this.#connect(uuid);
      const { stdout } = await device("shell", `cat ${FOLDER}/mark; echo; cd ${FOLDER} && sha256sum 0 1 2 3`);
      return stdout.trim();
    });
    const { mark, files } = saved.payload;
    const expected = [mark, ...files.map((sha256, index) => `${sha256}  ${index}`)].join("\n");
    return { uuid, saved, found, expected, payload: await this.#change(uuid, name) };
  }

  save({ uuid }: { uuid: string }, action: "update" | "save_as") {
    return this.#options.product.client.instances.save({ params: { uuid }, body: { action } });
  }

  /** Waits for the end of a device; stops it while it is online: nobody heard that it was to be saved, or its save has failed. */
  async untilEnded({ uuid }: { uuid: string }): Promise<void> {
    const { product, rows } = this.#options;
    await patiently(`${uuid} has ended`, async () => {
      const { state } = await rows.instance(uuid);
      if (state === "ONLINE") await product.client.instances.stop({ params: { uuid } });
      return OVER.has(state);
    });
  }

  async #startOnline(recipe: string): Promise<string> {
    const { product, rows } = this.#options;
    const body = { instance_name: "saves", rename_on_conflict: true };
    const { uuid } = await patiently("a start", () => product.client.recipes.start({ params: { uuid: recipe }, body }));
    await patiently(`${uuid} is online`, async () => (await rows.instance(uuid)).state === "ONLINE");
    return uuid;
  }

  async #connect(uuid: string) {
    return this.#options.adb.connect((await this.#options.rows.instance(uuid)).adb);
  }

  async #change(uuid: string, name: string): Promise<Payload> {
    const payload = await writePayload(join(this.#options.folder, name));
    await patiently("a push", async () => (await this.#connect(uuid))("push", `${payload.folder}/.`, FOLDER));
    return payload;
  }
}
