import { TestClock } from "@terrarium/clock";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestDatabase } from "../../testing/database.ts";
import { type Catalogue, loadCatalogue, officialCatalogue, readCatalogue, rowsOf } from "./catalogue.ts";

const profile: Catalogue["hardware_profiles"][number] = {
  key: "pot",
  name: "Pot",
  form_factor: "PHONE",
  display_mode: "REGULAR",
  displays: [{ width: 100, height: 200, density: 160 }],
  hw_navigation_keys: false,
  cpu_count: 2,
  ram_size: 1024,
  data_disk_size: 2048,
  properties: {},
};
const image: Catalogue["os_images"][number] = {
  key: "soil-16.0-arm64",
  name: "Soil 16",
  arch: "arm64",
  os_version: "16.0",
  sdk_version: 36,
  image_version: "1",
  is_beta: false,
  form_factors: ["PHONE"],
  runtime: "simulator",
  artefact: "soil",
};
const recipe: Catalogue["recipes"][number] = {
  hardware_profile: "pot",
  image: "soil",
  versions: ["16.0"],
  arch: ["arm64"],
};
const catalogue = (more: Partial<Catalogue> = {}): Catalogue => ({
  hardware_profiles: [profile],
  os_images: [image],
  recipes: [recipe],
  ...more,
});
const now = new Date("2026-03-02T09:00:00Z");

async function aFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "terrarium-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "catalogue.json");
  await writeFile(file, text);
  return file;
}

describe("readCatalogue", () => {
  it("reads the catalogue that comes along", async () => {
    const { hardware_profiles, os_images, recipes } = await readCatalogue(officialCatalogue);
    expect([hardware_profiles.length, os_images.length, recipes.length > 0]).toEqual([18, 67, true]);
  });

  it("says which file is wrong, and where", async () => {
    const file = await aFile(JSON.stringify(catalogue({ hardware_profiles: [{ ...profile, displays: [] }] })));
    await expect(readCatalogue(file)).rejects.toThrow(
      /catalogue\.json is not valid[^]*hardware_profiles\[0\]\.displays/,
    );
  });
});

describe("rowsOf", () => {
  it("makes a recipe for each version and architecture, in the order of the files", () => {
    const os_images = ["15.0-arm64", "15.0-x86", "5.0-arm64", "5.0-x86"].map((version) => ({
      ...image,
      key: `soil-${version}`,
    }));
    const recipes = [{ ...recipe, versions: ["15.0", "5.0"], arch: ["x86" as const, "arm64" as const] }];
    const rows = rowsOf([catalogue({ os_images, recipes })], now).recipes;
    expect(rows.map(({ name, position }) => [name, position])).toEqual([
      ["Pot, Android 15", 0],
      ["Pot, Android 15", 1],
      ["Pot, Android 5.0", 2],
      ["Pot, Android 5.0", 3],
    ]);
    expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(4);
  });

  it("takes a key from the last file that has it, under the same identifier", () => {
    const own = catalogue({ hardware_profiles: [{ ...profile, name: "Vase" }], recipes: [] });
    const [before, after] = [rowsOf([catalogue()], now), rowsOf([catalogue(), own], now)];
    expect(after.profiles).toEqual([{ ...before.profiles[0], name: "Vase" }]);
  });

  it.each([
    [
      "a hardware profile that there is not",
      { ...recipe, hardware_profile: "none" },
      "No hardware profile or image for none",
    ],
    [
      "an image that there is not",
      { ...recipe, versions: ["17.0"] },
      "No hardware profile or image for pot, soil-17.0-arm64",
    ],
  ])("refuses a recipe with %s", (_, wrong, sentence) => {
    expect(() => rowsOf([catalogue({ recipes: [wrong] })], now)).toThrow(sentence);
  });

  it("refuses a recipe whose image is not for its form factor", () => {
    const os_images = [{ ...image, form_factors: ["TV" as const] }];
    expect(() => rowsOf([catalogue({ os_images })], now)).toThrow("soil-16.0-arm64 does not support PHONE");
  });
});

describe("loadCatalogue", () => {
  it("inserts what is new, overwrites what is known, and leaves what the files no longer name", async () => {
    const { db } = await createTestDatabase();
    const clock = new TestClock();
    await loadCatalogue(db, clock, [catalogue()]);
    await clock.advance(1_000);
    const changed = { ...profile, name: "Vase", cpu_count: 4 };
    await loadCatalogue(db, clock, [catalogue({ hardware_profiles: [changed, { ...profile, key: "bed" }] })]);
    await loadCatalogue(db, clock, [{ hardware_profiles: [], os_images: [], recipes: [] }]);
    const profiles = await db.selectFrom("hardware_profiles").selectAll().orderBy("position").execute();
    expect(profiles).toMatchObject([
      { name: "Vase", cpu_count: 4, is_official: true, created_at: now, updated_at: new Date(now.getTime() + 1_000) },
      { name: "Pot", position: 1 },
    ]);
    expect(await db.selectFrom("os_images").select(["name", "status"]).execute()).toEqual([
      { name: "Soil 16", status: "READY" },
    ]);
    expect(await db.selectFrom("recipes").select("name").execute()).toEqual([{ name: "Vase, Android 16" }]);
  });
});
