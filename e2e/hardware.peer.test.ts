import type { Client } from "@terrarium/sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stockAdb } from "./support/adb.ts";
import { untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type TestServer } from "./support/server.ts";

const ANDROID_9 = 28;

/** Nothing in it is as the service would choose by itself. */
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
let said: (command: string) => Promise<string>;

beforeAll(async () => {
  server = await preparedServer();
  const { client } = await server.signIn(demo.user);
  const uuid = await startUnusual(client);
  await untilState(client, uuid, "ONLINE");
  const [row] = await server.instances();
  adb = await stockAdb();
  const device = await adb.connect(row?.adb ?? "");
  said = async (command) => (await device("shell", command)).stdout.trim();
});

afterAll(async () => {
  await adb?.stop();
  await server?.stop();
});

async function startUnusual(client: Client): Promise<string> {
  const profile = await client.hardwareProfiles.create({ body: unusual });
  const images = await client.osImages.list({ query: { page_size: -1 } });
  // With three keys at the lower edge, if a navigation bar were drawn.
  const image = images.results.find(
    ({ form_factors, os_version }) => form_factors.includes("TABLET") && os_version.sdk_version === ANDROID_9,
  );
  const recipe = await client.recipes.create({
    body: { name: "Unusual", hardware_profile_uuid: profile.uuid, os_image_uuid: image?.uuid ?? "" },
  });
  const { uuid } = await client.recipes.start({ params: { uuid: recipe.uuid }, body: { instance_name: "unusual" } });
  return uuid;
}

it("starts a device that has what its profile says, as the stock adb sees it", async () => {
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
  for (const command of Object.keys(facts)) answers[command] = await said(command).catch(String);
  expect(answers).toEqual(facts);
});
