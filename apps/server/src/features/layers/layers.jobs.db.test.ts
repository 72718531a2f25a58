import type { Layer } from "@terrarium/runtime";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { MemoryFiles } from "../../platform/files/testing/memory-files.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { holdLayers } from "./layers.ts";
import { collectLayers, LAYER_GRACE_MS } from "./layers.jobs.ts";

const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

async function setUp() {
  const test = await createTestApp();
  const { db, clock, files, layers } = test;
  const collect = () => collectLayers.run({ db, clock, files });
  return {
    ...test,
    put: (text: string) => layers.put(bytesOf(text), never),
    has: (layer: Layer) => layers.has(layer),
    collect,
    /** What is left after nothing has referred to it for as long as it takes. */
    async leftAfterGrace() {
      await collect();
      await clock.advance(LAYER_GRACE_MS + 1);
      await collect();
      return [...files.stored.values()].map(String).sort();
    },
    rows: async () => (await db.selectFrom("layers").select("sha256").orderBy("sha256").execute()).length,
    /** An image of the layers. */
    async anImage(fields: { layers?: Layer[]; previous_layers?: Layer[] }) {
      const json = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
      return aCustom(db, "os_images", (await test.as()).user, json);
    },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

describe("the collection of layers", () => {
  it("deletes what nothing refers to, when that has lasted for a day", async () => {
    const { put, collect, clock, files, rows } = await setUp();
    await put("moss");
    await collect();
    await clock.advance(LAYER_GRACE_MS - HOUR_MS);
    await collect();
    expect([files.stored.size, await rows()]).toEqual([1, 1]);
    await clock.advance(HOUR_MS + 1);
    await collect();
    expect([files.stored.size, await rows()]).toEqual([0, 0]);
  });

  it("keeps what an image, its former state or a living device consists of, and of a device that ended nothing", async () => {
    const { put, anImage, db, clock, as, leftAfterGrace } = await setUp();
    await anImage({ layers: [await put("image")], previous_layers: [await put("former"), await put("both")] });
    await put("unused");
    const robin = await as();
    const start = async (layer: Layer): Promise<string> => {
      const { uuid } = (await robin.start()).json();
      const { snapshot } = await db
        .selectFrom("instances")
        .select("snapshot")
        .where("uuid", "=", uuid)
        .executeTakeFirstOrThrow();
      const osImage = { ...snapshot.osImage, layers: [layer] };
      await db
        .updateTable("instances")
        .set({ snapshot: JSON.stringify({ ...snapshot, osImage }) })
        .where("uuid", "=", uuid)
        .execute();
      return uuid;
    };
    await start(await put("device"));
    const ended = await start(await put("ended device"));
    await moveInstance(db, { uuid: ended, event: "fail", now: new Date(clock.now()) });
    expect(await leftAfterGrace()).toEqual(["both", "device", "former", "image"]);
  });

  it("begins to count anew when a layer was used again, was stored again, or was found in the store by a save", async () => {
    const { put, has, anImage, collect, clock, files, db } = await setUp();
    const [used, , found] = [await put("used"), await put("stored"), await put("found")];
    await collect();
    await clock.advance(LAYER_GRACE_MS - HOUR_MS);
    await put("stored");
    expect(await has(found)).toBe(true);
    const image = await anImage({ layers: [used] });
    await collect();
    await db.deleteFrom("os_images").where("uuid", "=", image).execute();
    await clock.advance(2 * HOUR_MS);
    await collect();
    expect(files.stored.size).toBe(3);
  });

  it("deletes files without a row, as a crash leaves them, after the same time", async () => {
    const { files, put, anImage, leftAfterGrace, collect, clock } = await setUp();
    await anImage({ layers: [await put("image")] });
    await files.put(`layers/${"a".repeat(64)}`, bytesOf("litter"), { maxBytes: 10 });
    await files.put("screenshots/one", bytesOf("another noun's"), { maxBytes: 20 });
    await collect();
    await clock.advance(LAYER_GRACE_MS - HOUR_MS);
    await collect();
    expect(files.stored.size).toBe(3);
    expect(await leftAfterGrace()).toEqual(["another noun's", "image"]);
  });

  it("looks at all of them, however many there are", async () => {
    const { db, leftAfterGrace, rows } = await setUp();
    const unused = Array.from({ length: 250 }, (_, at) => ({ sha256: String(at).padStart(64, "0"), size: 1 }));
    await db.insertInto("layers").values(unused).execute();
    await leftAfterGrace();
    expect(await rows()).toBe(0);
  });

  it("leaves a layer that a save is about to refer to", async () => {
    const { put, anImage, db, files, clock, collect } = await setUp();
    const layer = await put("moss");
    await collect();
    await clock.advance(LAYER_GRACE_MS + 1);
    const collected = await transaction(db, async (trx) => {
      await holdLayers(trx, [layer]);
      // It skips what is locked.
      await collectLayers.run({ db, clock, files });
      return files.stored.size;
    }).catch(String);
    await anImage({ layers: [layer] });
    await collect();
    expect([collected, files.stored.size]).toEqual([1, 1]);
  });

  it("refuses a save a layer of which it has deleted", async () => {
    const { put, db, leftAfterGrace } = await setUp();
    const layer = await put("moss");
    await leftAfterGrace();
    await expect(transaction(db, (trx) => holdLayers(trx, [layer]))).rejects.toThrow("1 layers");
  });

  it.each(["before", "after"])("loses nothing that is stored again just %s its file is deleted", async (when) => {
    const { put, db, clock, layers, files, collect } = await setUp();
    const layer = await put("moss");
    await collect();
    await clock.advance(LAYER_GRACE_MS + 1);
    let stored: Promise<Layer> | undefined;
    class Slow extends MemoryFiles {
      override async delete(key: string) {
        if (when === "after") await files.delete(key);
        stored = put("moss");
        await somethingWaits(db);
        if (when === "before") await files.delete(key);
      }
      override list = () => files.list("layers");
    }
    await collectLayers.run({ db, clock, files: new Slow() });
    await stored;
    expect(await layers.has(layer)).toBe(true);
    await collect();
    expect(await layers.has(layer)).toBe(true);
  });
});

/** Waits until a query waits for a lock, or has long had the time to. */
async function somethingWaits(db: Awaited<ReturnType<typeof createTestApp>>["db"]): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const { rows } = await sql<{ waits: boolean }>`
      SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()) AS waits`.execute(
      db,
    );
    if (rows[0]?.waits) return;
  }
}
