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

const ANDROID_9 = 28;

const unusual = {
  name: "An unusual foldable",
  form_factor: "TABLET",
  display_mode: "FOLDABLE",
  display_settings: {
    displays: [
      { width: 1722, height: 1508, density: 333, physical_size: 7.5 },
      { width: 611, height: 1023, density: 251 },
    ],
    hw_navigation_keys: true,
  },
  device_properties: {
    product_board: "oddboard",
    product_brand: "odd_brand",
    product_manufacturer: "Odd & Sons",
    product_model: "Odd 7",
    product_device: "odd7",
    serialno: "ODD-0007.1",
    build_type: "user",
    build_tags: "release-keys",
    build_display_id: "ODD7.261122.001",
    vm_heap_size: "384",
  },
  cpu_count: 2,
  ram_size: 3072,
  data_disk_size: 5000,
} satisfies Parameters<Client["hardwareProfiles"]["create"]>[0]["body"];

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

/** A recipe with a profile in which nothing is as the service would choose by itself; returns its identifier. */
async function unusualRecipe(): Promise<string> {
  const profile = await client.hardwareProfiles.create({ body: unusual });
  const images = await client.osImages.list({ query: { page_size: -1 } });
  // With three keys at the lower edge, if a navigation bar were drawn.
  const image = images.results.find(
    ({ form_factors, os_version }) => form_factors.includes("TABLET") && os_version.sdk_version === ANDROID_9,
  );
  const recipe = await client.recipes.create({
    body: { name: "Unusual", hardware_profile_uuid: profile.uuid, os_image_uuid: image?.uuid ?? "" },
  });
  return recipe.uuid;
}

const FILE = "/sdcard/Download/kept";

it("starts a device that has what its profile says, as the stock adb sees it", async () => {
  const { device } = await start(await unusualRecipe());
  const facts: Record<string, string> = {
    "getprop ro.product.board": "oddboard",
    "getprop ro.product.brand": "odd_brand",
    "getprop ro.product.manufacturer": "Odd & Sons",
    "getprop ro.product.model": "Odd 7",
    "getprop ro.product.device": "odd7",
    "getprop ro.serialno": "ODD-0007.1",
    "getprop ro.build.type": "user",
    "getprop ro.build.tags": "release-keys",
    "getprop ro.build.display.id": "ODD7.261122.001",
    "getprop dalvik.vm.heapsize": "384m",
    "getprop qemu.hw.mainkeys": "1",
    "wm size": "Physical size: 1722x1508",
    "wm density": "Physical density: 333",
    "wm size -d 1": "Physical size: 611x1023",
    "wm density -d 1": "Physical density: 251",
    "dumpsys display | grep -c mBaseDisplayInfo": "2",
    // The diagonal of 2289 pixels is 7.5 inches long.
    "dumpsys display | grep mBaseDisplayInfo | grep -o 'density.*dpi'":
      "density 333 (305.195 x 305.195) dpi\ndensity 251 (251.0 x 251.0) dpi",
    nproc: "2",
    "grep -c ^processor /proc/cpuinfo": "2",
    "grep MemTotal /proc/meminfo | tr -s ' '": "MemTotal: 3145728 kB",
    "df /data | tail -1 | tr -s ' ' | cut -d' ' -f2": "5120000",
    "uiautomator dump /sdcard/ui.xml > /dev/null; grep -o 'nav/[a-z]*' /sdcard/ui.xml | wc -l": "0",
  };
  const answers: Record<string, string> = {};
  for (const command of Object.keys(facts))
    answers[command] = await device("shell", command).then(({ stdout }) => stdout.trim(), String);
  expect(answers).toEqual(facts);
});

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
