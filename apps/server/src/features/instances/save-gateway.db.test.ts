import type { CompleteRecipe, SaveAction } from "@terrarium/contract";
import { type Layer, type LayerStore, type Machine, SaveTooLargeError } from "@terrarium/runtime";
import { type KyselyPlugin, sql } from "kysely";
import { describe, expect, it, vi } from "vitest";
import { FileTooLargeError } from "../../platform/files/file-store.ts";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { aGateway, aRuntime, until } from "../../testing/gateway.ts";
import { BEAT_MS } from "./gateways.ts";
import { INSTANCE_CHANGED, moveInstance } from "./move-instance.ts";
import { writeProgress } from "./saved-state.store.ts";
import { SAVE_TIMEOUT_MS, storeMachine } from "./saved-state.ts";

const MIB = 1024 ** 2;

interface Options {
  /** How long a save takes; Infinity for one that waits to be aborted. */
  saveMs?: number;
  /** What the runtime stores layers in. */
  layersOf?: (test: TestApp) => LayerStore;
  /** For the gateway's database. */
  plugin?: KyselyPlugin;
}

/** A gateway with the fake runtime, and a person with a recipe and an image of their own. */
async function setUp({ saveMs = 0, layersOf = ({ layers }) => layers, plugin }: Options = {}) {
  const test = await createTestApp();
  const { db, clock } = test;
  const { runtime, machines } = aRuntime("here", { layers: layersOf(test), saveMs, clock });
  const gateway = await aGateway(plugin ? { ...test, db: db.withPlugin(plugin) } : test, runtime);
  const robin = await test.as();
  const image = await aCustom(db, "os_images", robin.user);
  const recipe = await aCustom(db, "recipes", robin.user, { os_image_uuid: image });
  const start = async (of = recipe) => {
    const body = { instance_name: "one", rename_on_conflict: true };
    const uuid: string = (await robin.post(`/v1/recipes/${of}/start-disposable`, body)).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    return uuid;
  };
  const save = async (uuid: string, action: SaveAction = "update") =>
    (await robin.post(`/v1/instances/${uuid}/save`, { action })).json<CompleteRecipe>();
  return {
    ...test,
    test,
    runtime,
    machines,
    gateway,
    robin,
    image,
    recipe,
    start,
    save,
    /** Starts a device, writes a text on it, and asks for it to be saved. */
    async startAndSave(text: string, { action, of = recipe }: { action?: SaveAction; of?: string } = {}) {
      const uuid = await start(of);
      machines.get(uuid)!.state.set("note", text);
      const saved = await save(uuid, action);
      return { uuid, saved };
    },
    imageRow: (uuid = image) =>
      db.selectFrom("os_images").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow(),
    recipeRow: (uuid = recipe) =>
      db.selectFrom("recipes").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow(),
    row: (uuid: string) => db.selectFrom("instances").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow(),
    history: async (uuid: string) => {
      const events = db
        .selectFrom("instance_events")
        .select("to_state")
        .where("instance_uuid", "=", uuid)
        .orderBy("id");
      return (await events.execute()).map(({ to_state }) => to_state);
    },
  };
}

/** A store that fails or waits. */
const storeThat = (does: () => Promise<Layer>) => (): LayerStore => ({
  put: does,
  has: async () => false,
  async *get() {
    yield new Uint8Array();
  },
});

/** A store that is full until it is mended. */
function aBrokenStore() {
  let isBroken = true;
  const layersOf = ({ layers }: TestApp): LayerStore => ({
    put: async (bytes, signal) => {
      if (isBroken) throw new Error("the disk is full");
      return layers.put(bytes, signal);
    },
    has: (layer) => layers.has(layer),
    get: (layer, signal) => layers.get(layer, signal),
  });
  return { layersOf, mend: () => (isBroken = false) };
}

const breathe = async () => {
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A machine whose save consists of reporting progress. */
const aMachine = (work: (onProgress: (done: number, total: number) => void) => Promise<void>): Machine => ({
  id: "one",
  boot: 1,
  adb: { host: "127.0.0.1", port: 1 },
  capabilities: new Set(["save"]),
  gone: new AbortController().signal,
  save: async ({ onProgress }) => (await work(onProgress), []),
  stop: async () => undefined,
});

describe("a gateway that is asked to save a device", () => {
  it("saves it into the image, and stops it; the next device starts from what was saved", async () => {
    const { startAndSave, instance, history, imageRow, recipeRow, start, machines, row } = await setUp();
    const { uuid } = await startAndSave("moss");
    await until("DELETED", () => instance(uuid));
    expect((await history(uuid)).slice(3)).toEqual(["ONLINE", "SAVING", "SAVED", "STOPPING", "DELETING", "DELETED"]);
    const { layers, previous_layers, status } = await imageRow();
    expect([layers, previous_layers, status]).toEqual([
      [{ sha256: expect.any(String), size: expect.any(Number) }],
      [],
      "READY",
    ]);
    expect(await recipeRow()).toMatchObject({ status: "READY", previous_os_image_uuid: null });
    expect((await row(uuid)).save).toMatchObject({ progress: 100 });
    const next = await start();
    expect(machines.get(next)!.state.get("note")).toBe("moss");
    expect((await row(next)).snapshot.osImage.layers).toEqual(layers);
  });

  it("gives a recipe its new image only when that is saved, and remembers the former one", async () => {
    const { db, robin, startAndSave, instance, recipeRow, imageRow, machines, start } = await setUp();
    const of = await aCustom(db, "recipes", robin.user);
    const { os_image_uuid: official } = await recipeRow(of);
    const { uuid } = await startAndSave("moss", { of });
    await until("DELETED", () => instance(uuid));
    const { os_image_uuid, previous_os_image_uuid, status } = await recipeRow(of);
    expect([previous_os_image_uuid, status]).toEqual([official, "READY"]);
    expect(os_image_uuid).not.toBe(official);
    expect(await imageRow(os_image_uuid!)).toMatchObject({ status: "READY", previous_layers: null });
    expect((await imageRow(official!)).layers).toEqual([]);
    expect(machines.get(await start(of))!.state.get("note")).toBe("moss");
  });

  it("saves a new recipe beside the one it was started from", async () => {
    const { startAndSave, instance, imageRow, recipeRow, start, machines } = await setUp();
    const { uuid, saved } = await startAndSave("moss", { action: "save_as" });
    await until("DELETED", () => instance(uuid));
    expect(await imageRow()).toMatchObject({ layers: [], previous_layers: null, status: "READY" });
    expect(await recipeRow(saved.uuid)).toMatchObject({ status: "READY", os_image_uuid: saved.os_image.uuid });
    expect(machines.get(await start(saved.uuid))!.state.get("note")).toBe("moss");
    expect(machines.get(await start())!.state.get("note")).toBeUndefined();
  });

  it("lets the device run on if the store fails, leaves the recipe as it was, and can save the device then", async () => {
    const broken = aBrokenStore();
    const { db, robin, startAndSave, save, instance, history, imageRow, recipeRow, row, machines, start } = await setUp(
      {
        layersOf: broken.layersOf,
      },
    );
    const other = await aCustom(db, "recipes", robin.user, { status: "UPDATING" });
    const { uuid } = await startAndSave("moss");
    await until("ONLINE", () => instance(uuid));
    expect(await row(uuid)).toMatchObject({ reason: null, ended_at: null, save: { error: "SAVE_FAILED" } });
    expect(await imageRow()).toMatchObject({ layers: [], previous_layers: null, status: "READY" });
    expect([(await recipeRow()).status, (await recipeRow(other)).status]).toEqual(["READY", "UPDATING"]);
    expect(machines.get(uuid)!.state.get("note")).toBe("moss");
    broken.mend();
    await save(uuid);
    await until("DELETED", () => instance(uuid));
    expect((await row(uuid)).save).toEqual(expect.not.objectContaining({ error: expect.anything() }));
    expect((await history(uuid)).slice(4, 8)).toEqual(["SAVING", "ONLINE", "SAVING", "SAVED"]);
    expect(machines.get(await start())!.state.get("note")).toBe("moss");
  });

  it("tells the owner why, and records it", async () => {
    const { db, startAndSave, instance, robin } = await setUp({ layersOf: aBrokenStore().layersOf });
    const { uuid, saved } = await startAndSave("moss");
    await until("ONLINE", () => instance(uuid));
    expect((await robin.get(`/v1/instances/${uuid}`)).json()).toMatchObject({
      state: "ONLINE",
      can_save: true,
      save: { action: "update", recipe_uuid: saved.uuid, error: "SAVE_FAILED" },
    });
    const last = db.selectFrom("instance_events").selectAll().orderBy("id", "desc").limit(1);
    expect(await last.executeTakeFirst()).toMatchObject({ event: "saveFailed", reason: "SAVE_FAILED" });
  });

  it("goes on counting how long the device runs, and counts the save as a use of it", async () => {
    const { clock, start, save, instance, row, runtime } = await setUp({ saveMs: Infinity });
    const uuid = await start();
    const { online_at } = await row(uuid);
    await clock.advance(20 * 60_000);
    await save(uuid);
    await expect.poll(() => runtime.machines.done.some((line) => line.startsWith("save"))).toBe(true);
    await clock.advance(SAVE_TIMEOUT_MS);
    await until("ONLINE", () => instance(uuid));
    await expect.poll(async () => (await clock.advance(BEAT_MS), (await row(uuid)).idle_ms)).toBeLessThan(60_000);
    const after = await row(uuid);
    expect([after.state, after.online_at]).toEqual(["ONLINE", online_at]);
    expect(after.ran_ms).toBeGreaterThan(SAVE_TIMEOUT_MS);
  });

  it("saves nothing when an event comes late that tells of a save that has failed", async () => {
    const { db, startAndSave, instance, runtime, row } = await setUp({ layersOf: aBrokenStore().layersOf });
    const { uuid } = await startAndSave("moss");
    await until("ONLINE", () => instance(uuid));
    const { revision } = await row(uuid);
    const saves = () => runtime.machines.done.filter((line) => line.startsWith("save")).length;
    const before = saves();
    await sql`SELECT pg_notify(${INSTANCE_CHANGED}, ${JSON.stringify({ uuid, state: "SAVING" })})`.execute(db);
    await breathe();
    expect([saves(), (await row(uuid)).revision]).toEqual([before, revision]);
  });

  it("tries again while the database is away", async () => {
    let failures = 0;
    const layersOf = ({ layers }: TestApp): LayerStore => ({
      put: async (bytes, signal) => {
        if (failures++ === 0) throw Object.assign(new Error("terminating connection"), { code: "57P01" });
        return layers.put(bytes, signal);
      },
      has: (layer) => layers.has(layer),
      get: (layer, signal) => layers.get(layer, signal),
    });
    const { clock, startAndSave, imageRow, start, machines, recipe } = await setUp({ layersOf });
    await startAndSave("moss");
    await expect.poll(() => failures).toBe(1);
    await expect.poll(async () => (await clock.advance(1_000), (await imageRow()).layers.length)).toBe(1);
    expect(machines.get(await start(recipe))!.state.get("note")).toBe("moss");
  });

  it("leaves a new recipe and its image in ERROR, and no image that was created for an existing recipe", async () => {
    const { layersOf } = aBrokenStore();
    const { db, robin, startAndSave, instance, imageRow, recipeRow } = await setUp({ layersOf });
    const { uuid, saved } = await startAndSave("moss", { action: "save_as" });
    await until("ONLINE", () => instance(uuid));
    expect([(await recipeRow(saved.uuid)).status, (await imageRow(saved.os_image.uuid)).status]).toEqual([
      "ERROR",
      "ERROR",
    ]);
    const images = async () => (await db.selectFrom("os_images").select("uuid").execute()).length;
    const before = await images();
    const of = await aCustom(db, "recipes", robin.user);
    const update = await startAndSave("moss", { of });
    expect(await images()).toBe(before + 1);
    await until("ONLINE", () => instance(update.uuid));
    expect([await images(), (await recipeRow(of)).status]).toEqual([before, "READY"]);
  });

  it("fails if a layer that the runtime names is not stored", async () => {
    const layer = { sha256: "a".repeat(64), size: 4 };
    const { startAndSave, instance, imageRow } = await setUp({ layersOf: storeThat(async () => layer) });
    const { uuid } = await startAndSave("moss");
    await until("ONLINE", () => instance(uuid));
    expect(await imageRow()).toMatchObject({ layers: [], status: "READY" });
  });

  it("fails if the image that it was to be saved into is gone", async () => {
    const { db, clock, startAndSave, instance, image, recipe, row } = await setUp({ saveMs: 1_000 });
    const { uuid } = await startAndSave("moss");
    await db.deleteFrom("recipes").where("uuid", "=", recipe).execute();
    await db.deleteFrom("os_images").where("uuid", "=", image).execute();
    await expect.poll(async () => (await clock.advance(1_000), instance(uuid))).toBe("ONLINE");
    expect((await row(uuid)).save).toMatchObject({ error: "SAVE_FAILED" });
  });

  it("fails if the machine dies meanwhile, and undoes the save", async () => {
    const { startAndSave, instance, imageRow, row, runtime } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    await expect.poll(() => runtime.machines.done.some((line) => line.startsWith("save"))).toBe(true);
    runtime.machines.crash(uuid);
    await until("ERROR", () => instance(uuid));
    expect(await row(uuid)).toMatchObject({ reason: "save_failed" });
    expect(await imageRow()).toMatchObject({ layers: [], status: "READY" });
  });

  it("fails a save that takes more than an hour", async () => {
    const { startAndSave, instance, row, clock, runtime } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    await expect.poll(() => runtime.machines.done.some((line) => line.startsWith("save"))).toBe(true);
    // An hour, and then beat by beat until it is written; another one, as it may have begun to wait only now.
    let looks = 0;
    const wait = () => clock.advance(looks++ % 20 === 0 ? SAVE_TIMEOUT_MS : BEAT_MS);
    await expect.poll(async () => (await wait(), instance(uuid))).toBe("ONLINE");
    expect((await row(uuid)).save).toMatchObject({ error: "SAVE_FAILED" });
  });

  it("fails the save when everything is ended", async () => {
    const { startAndSave, instance, imageRow, gateway } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    await until("SAVING", () => instance(uuid));
    await gateway.end();
    expect([await instance(uuid), await imageRow()]).toMatchObject(["ERROR", { layers: [], status: "READY" }]);
  });

  it("writes how far it is, twice a second at most", async () => {
    const { test, db, clock, startAndSave, row } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    const { lease_epoch: epoch, revision } = await row(uuid);
    const written = async () => (await row(uuid)).save?.progress;
    const machine = aMachine(async (onProgress) => {
      onProgress(10, 100);
      onProgress(20, 100);
      await expect.poll(written).toBe(10);
      await clock.advance(499);
      onProgress(30, 100);
      await clock.advance(1);
      await expect.poll(() => (onProgress(40, 100), written())).toBe(40);
      await clock.advance(500);
      onProgress(35, 100);
      await expect.poll(() => (onProgress(100, 100), written())).toBe(99);
    });
    await storeMachine({ db, clock, uuid, epoch }, machine, new AbortController().signal);
    expect((await row(uuid)).revision).toBe(revision + 3);
    expect(await test.instance(uuid)).toBe("SAVING");
  });

  it("writes how far it is only while it goes on and the lease is its own", async () => {
    const { db, clock, start, save, row } = await setUp({ saveMs: Infinity });
    const uuid = await start();
    const { lease_epoch } = await row(uuid);
    const changes = async (epoch: number) => {
      const before = await row(uuid);
      await writeProgress(db, { uuid, epoch, progress: 50, now: new Date(clock.now()) });
      return (await row(uuid)).revision - before.revision;
    };
    expect(await changes(lease_epoch)).toBe(0);
    await save(uuid);
    expect([await changes(lease_epoch - 1), await changes(lease_epoch)]).toEqual([0, 1]);
  });

  it("lets the next gateway save, if the machine lives", async () => {
    const { test, startAndSave, instance, imageRow, gateway, runtime } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    await expect.poll(() => runtime.machines.done.some((line) => line.startsWith("save"))).toBe(true);
    await gateway.leave();
    expect(await instance(uuid)).toBe("SAVING");
    await aGateway(test, aRuntime("here", { layers: test.layers, machines: runtime.machines }).runtime, {
      name: "two",
    });
    await until("DELETED", () => instance(uuid));
    expect((await imageRow()).layers).toHaveLength(1);
  });

  it("fails the save of a gateway that died with its machine", async () => {
    const { test, startAndSave, instance, imageRow, gateway, runtime } = await setUp({ saveMs: Infinity });
    const { uuid } = await startAndSave("moss");
    await until("SAVING", () => instance(uuid));
    await gateway.leave();
    runtime.machines.crash(uuid);
    await aGateway(test, runtime, { name: "two" });
    await until("ERROR", () => instance(uuid));
    expect(await imageRow()).toMatchObject({ layers: [], status: "READY" });
  });

  it("ends a device whose gateway died when it was saved and not stopped yet", async () => {
    const { test, db, start, gateway, instance, history, machines, runtime, clock } = await setUp();
    const uuid = await start();
    await gateway.leave();
    const move = { uuid, now: new Date(clock.now()) };
    const save = { action: "update", recipeUuid: uuid, osImageUuid: uuid, progress: 0 } as const;
    await moveInstance(db, { ...move, event: "save", save });
    await moveInstance(db, { ...move, event: "saved" });
    await aGateway(test, runtime, { name: "two" });
    await until("DELETED", () => instance(uuid));
    expect((await history(uuid)).slice(-4)).toEqual(["SAVED", "STOPPING", "DELETING", "DELETED"]);
    expect(machines.size).toBe(0);
  });

  it("refuses what would take the organization over its limit, and lets the device run on", async () => {
    const { db, startAndSave, save, instance, imageRow, recipeRow, row } = await setUp();
    const limitTo = (saved_bytes_max: number) => db.updateTable("organizations").set({ saved_bytes_max }).execute();
    // There is room for half of it.
    await limitTo(2 * MIB);
    const { uuid } = await startAndSave("m".repeat(3 * MIB));
    await until("ONLINE", () => instance(uuid));
    expect((await row(uuid)).save).toMatchObject({ error: "TOO_MUCH_SAVED" });
    expect([(await imageRow()).layers, (await recipeRow()).status]).toEqual([[], "READY"]);
    await limitTo(5 * MIB);
    await save(uuid);
    await until("DELETED", () => instance(uuid));
    expect((await imageRow()).saved_size).toBeGreaterThan(3 * MIB);
  });

  it("lets two saves at once not take together what one of them may", async () => {
    const { db, start, save, machines, instance } = await setUp();
    await db
      .updateTable("organizations")
      .set({ saved_bytes_max: 5 * MIB })
      .execute();
    const devices = [await start(), await start()];
    for (const [index, uuid] of devices.entries()) machines.get(uuid)!.state.set("note", `${index}`.repeat(3 * MIB));
    await Promise.all(devices.map((uuid) => save(uuid, "save_as")));
    const isOver = async () => {
      const states = await Promise.all(devices.map(instance));
      return states.every((state) => state === "ONLINE" || state === "DELETED") ? states.toSorted() : [];
    };
    await expect.poll(isOver, { timeout: 10_000 }).toEqual(["DELETED", "ONLINE"]);
  });

  it("saves what takes up no more than before, if the organization is over its limit already", async () => {
    const { db, clock, startAndSave, start, save, instance, imageRow } = await setUp({ saveMs: 1_000 });
    const passes = async (uuid: string, state: string) => {
      await expect.poll(async () => (await clock.advance(1_000), instance(uuid))).toBe(state);
    };
    const first = await startAndSave("moss");
    await passes(first.uuid, "DELETED");
    const uuid = await start();
    const asked = await save(uuid, "save_as");
    await db.updateTable("organizations").set({ saved_bytes_max: 1 }).execute();
    await passes(uuid, "DELETED");
    expect((await imageRow(asked.os_image.uuid)).layers).toEqual((await imageRow()).layers);
  });

  it("says that a save was too large, whether the runtime or the store finds that", async () => {
    for (const error of [new SaveTooLargeError("7 of 5 bytes"), new FileTooLargeError(5)]) {
      const { startAndSave, instance, row } = await setUp({ layersOf: storeThat(() => Promise.reject(error)) });
      const { uuid } = await startAndSave("moss");
      await until("ONLINE", () => instance(uuid));
      expect((await row(uuid)).save).toMatchObject({ error: "SAVE_TOO_LARGE" });
    }
  });

  it("saves again if nobody could write that the save has failed", async () => {
    let isAway = false;
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (isAway) throw Object.assign(new Error("the database is away"), { code: "57P01" });
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const tries = vi.fn();
    const layersOf = storeThat(async () => {
      tries();
      isAway = tries.mock.calls.length === 1;
      throw new Error("the disk is full");
    });
    const { clock, startAndSave, instance } = await setUp({ layersOf, plugin });
    const { uuid } = await startAndSave("moss");
    await expect.poll(() => isAway).toBe(true);
    // Longer than any write waits. One that is under way is given the time to fail: it would succeed once the database is back.
    for (let waits = 0; waits < 20; waits++) {
      await clock.advance(10_000);
      expect(await instance(uuid)).toBe("SAVING");
    }
    isAway = false;
    await expect.poll(async () => (await clock.advance(BEAT_MS), instance(uuid))).toBe("ONLINE");
    expect(tries).toHaveBeenCalledTimes(2);
  });
});
