import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "pg";
import type { Schema } from "../../apps/server/src/database/schema.ts";
import { collectLayers, LAYER_GRACE_MS } from "../../apps/server/src/features/layers/layers.jobs.ts";
import { createDatabase } from "../../apps/server/src/platform/db/database.ts";
import { openFileStore } from "../../apps/server/src/platform/files/open-file-store.ts";
import { patiently } from "./patiently.ts";

export interface Layer {
  sha256: string;
  size: number;
}

export interface Image {
  status: string;
  layers: Layer[];
  previous: Layer[] | null;
}

/** What the product's database says. It is asked again while it cannot be reached. */
export class Rows {
  readonly #dataDir: string;
  #pool: Promise<Pool> | undefined;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async instance(uuid: string): Promise<{ state: string; adb: string }> {
    const [row] = await this.#query<{ state: string; machine: { host: string; port: number } | null }>(
      "SELECT state, machine FROM instances WHERE uuid = $1",
      [uuid],
    );
    return { state: row?.state ?? "", adb: row?.machine ? `${row.machine.host}:${row.machine.port}` : "" };
  }

  async image(uuid: string): Promise<Image> {
    const [row] = await this.#query<Image>(
      "SELECT status, layers, previous_layers AS previous FROM os_images WHERE uuid = $1",
      [uuid],
    );
    return row!;
  }

  async recipe(uuid: string): Promise<{ status: string }> {
    const [row] = await this.#query<{ status: string }>("SELECT status FROM recipes WHERE uuid = $1", [uuid]);
    return row!;
  }

  /** The layers of all images and their former states. All devices have ended. */
  async referredLayers(): Promise<string[]> {
    const found = await this.#query<{ sha256: string }>(
      `SELECT DISTINCT layer ->> 'sha256' AS sha256
        FROM os_images, jsonb_array_elements(layers || coalesce(previous_layers, '[]')) AS layer`,
      [],
    );
    return found.map(({ sha256 }) => sha256);
  }

  /** Collects layers twice, as if a day had passed in between. */
  async collect(): Promise<void> {
    const db = createDatabase<Schema>(await this.#url(), { max: 2 });
    try {
      const files = await openFileStore({ dataDir: this.#dataDir, s3: undefined });
      for (const later of [0, LAYER_GRACE_MS + 1])
        await collectLayers.run({ db, clock: { now: () => Date.now() + later }, files });
    } finally {
      await db.destroy();
    }
  }

  async close(): Promise<void> {
    await (await this.#pool)?.end();
  }

  async #open(): Promise<Pool> {
    const pool = new Pool({ connectionString: await this.#url(), max: 4 });
    // The next query fails as well.
    pool.on("error", () => undefined);
    return pool;
  }

  #url(): Promise<string> {
    return readFile(join(this.#dataDir, "database-url"), "utf8");
  }

  #query<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return patiently("the database", async () => {
      const opened = (this.#pool ??= this.#open());
      try {
        return (await (await opened).query<Row>(text, values)).rows;
      } catch (error) {
        // A database that was started again has another URL.
        if (this.#pool === opened) {
          this.#pool = undefined;
          void opened.then((pool) => pool.end()).catch(() => undefined);
        }
        throw error;
      }
    });
  }
}
