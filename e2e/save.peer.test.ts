import type { Client } from "@terrarium/sdk";
import { makeApk } from "@terrarium/simulator/testing";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { eventually, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

let server: TestServer;
let adb: Awaited<ReturnType<typeof stockAdb>>;
let client: Client;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "terrarium-save-"));
  server = await preparedServer();
  adb = await stockAdb();
  client = (await server.signIn(demo.user)).client;
}, 180_000);

afterAll(async () => {
  await adb?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts a device; returns its identifier and its adb. */
async function start(recipe: string) {
  const body = { instance_name: "save", rename_on_conflict: true };
  const { uuid } = await client.recipes.start({ params: { uuid: recipe }, body });
  await untilState(client, uuid, "ONLINE");
  const row = (await server.instances()).find((one) => one.uuid === uuid);
  return { uuid, device: await adb.connect(row?.adb ?? "") };
}

/** Saves a device; resolves with the recipe when it is ready. */
async function save(uuid: string, body: { action: "update" | "save_as"; new_recipe_name?: string }) {
  const recipe = await client.instances.save({ params: { uuid }, body });
  return eventually("the recipe is ready", async () => {
    const now = await client.recipes.get({ params: { uuid: recipe.uuid } });
    return now.status === "READY" && now.os_image?.status === "READY" && now;
  });
}

const FILE = "/sdcard/Download/kept";

it(
  "saves a device as a new recipe, updates that and goes back, as the stock adb sees it",
  { timeout: 300_000 },
  async () => {
    const { results } = await client.recipes.list({ query: { search: "Phone 6.1 in, Android 15", page_size: 1 } });
    const first = await start(results[0]?.uuid ?? "");
    const bytes = randomBytes(2_000_000);
    await writeFile(join(folder, "pushed"), bytes);
    const apk = makeApk({ packageName: "test.terrarium.kept", versionCode: 3, minSdk: 21, label: "Kept" });
    await writeFile(join(folder, "app.apk"), apk);
    await first.device("push", join(folder, "pushed"), FILE);
    await first.device("install", join(folder, "app.apk"));
    await first.device("shell", "settings", "put", "system", "screen_brightness", "77");
    const recipe = await save(first.uuid, { action: "save_as", new_recipe_name: "Kept" });
    expect([recipe.name, recipe.can_roll_back]).toEqual(["Kept", false]);

    const check = async (device: typeof first.device, brightness: string) => {
      await device("pull", FILE, join(folder, "pulled"));
      expect(bytes.equals(await readFile(join(folder, "pulled")))).toBe(true);
      expect((await device("shell", "pm", "list", "packages")).stdout).toContain("package:test.terrarium.kept");
      expect((await device("shell", "settings", "get", "system", "screen_brightness")).stdout.trim()).toBe(brightness);
    };
    const second = await start(recipe.uuid);
    await check(second.device, "77");
    await second.device("shell", "settings", "put", "system", "screen_brightness", "99");
    expect((await save(second.uuid, { action: "update" })).can_roll_back).toBe(true);

    const third = await start(recipe.uuid);
    await check(third.device, "99");
    expect((await client.recipes.rollBack({ params: { uuid: recipe.uuid } })).can_roll_back).toBe(false);
    await check((await start(recipe.uuid)).device, "77");
  },
);
