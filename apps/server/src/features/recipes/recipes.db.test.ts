import type { Recipe } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { describeOwnedRows } from "../../testing/owned-rows.ts";
import { listRecipes } from "./recipes.store.ts";

describeOwnedRows({
  table: "recipes",
  list: "/v3/recipes",
  get: (uuid) => `/v2/recipes/${uuid}`,
  notFound: "RECIPE_NOT_FOUND",
  sources: {
    all: { robins: true, kims: true, official: true },
    official: { robins: false, kims: false, official: true },
    custom: { robins: true, kims: true, official: false },
    // What the web app asks for when custom is chosen.
    shared: { robins: true, kims: true, official: false },
  },
});

const kindOf = ({ hardware_profile: profile }: Recipe) =>
  profile?.display_mode === "FOLDABLE" ? "FOLDABLE" : profile?.form_factor;

describe("GET /v3/recipes", () => {
  it.each([
    ["arch=arm64", { arm64: 42 }],
    ["arch=x86_64,arm64", { arm64: 42, x86_64: 42 }],
    ["arch=x86", { x86: 18 }],
    ["arch=all", { arm64: 42, x86: 18, x86_64: 42 }],
  ])("shows by %s", async (query, expected) => {
    const { as } = await createTestApp();
    const { count, results } = (await (await as()).get(`/v3/recipes?page_size=-1&${query}`)).json<{
      count: number;
      results: Recipe[];
    }>();
    const found: Record<string, number> = {};
    for (const { arch } of results) found[arch ?? "none"] = (found[arch ?? "none"] ?? 0) + 1;
    expect([found, count]).toEqual([expected, results.length]);
  });

  it.each([
    ["form_factor=TABLET", ["TABLET"]],
    ["form_factor=FOLDABLE", ["FOLDABLE"]],
    // A foldable is a phone to its image, but not to whoever looks for a phone.
    ["form_factor=PHONE", ["PHONE"]],
    ["form_factor=TV,CAR&form_factor=WATCH", ["CAR", "TV", "WATCH"]],
    ["", ["CAR", "FOLDABLE", "PHONE", "TABLET", "TV", "WATCH"]],
  ])("shows by %s", async (query, expected) => {
    const { as } = await createTestApp();
    const { count, results } = (await (await as()).get(`/v3/recipes?page_size=-1&${query}`)).json<{
      count: number;
      results: Recipe[];
    }>();
    expect(new Set(results.map(kindOf))).toEqual(new Set(expected));
    expect(count).toBe(results.length);
  });

  it.each(["hardware_profile", "os_image"] as const)(
    "shows one that has lost its %s, without an arch",
    async (part) => {
      const { as, db } = await createTestApp();
      const robin = await as();
      const uuid = await aCustom(db, "recipes", robin.user, { name: "Fern", [`${part}_uuid`]: null });
      const [listed] = (await robin.get("/v3/recipes?source=custom")).json().results;
      const other = part === "os_image" ? "hardware_profile" : "os_image";
      expect(listed).toMatchObject({
        uuid,
        [part]: null,
        [other]: { uuid: expect.any(String) },
        arch: part === "os_image" ? null : "arm64",
      });
      expect((await robin.get(`/v2/recipes/${uuid}`)).json()).toEqual(listed);
      // Older clients get no reason with a name, so they are not offered what cannot be started.
      expect((await robin.get("/v1/recipes")).json().custom).toEqual([]);
      const start = await robin.post(`/v1/recipes/${uuid}/start-disposable`, { instance_name: "one" });
      expect([start.statusCode, start.json().code]).toEqual([409, "RECIPE_INCOMPLETE"]);
    },
  );

  it("shows custom ones by name", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    for (const name of ["Ivy", "Fern", "Moss"]) await aCustom(db, "recipes", robin.user, { name });
    const { results } = (await robin.get("/v3/recipes?source=custom")).json<{ results: Recipe[] }>();
    expect(results.map(({ name }) => name)).toEqual(["Fern", "Ivy", "Moss"]);
  });

  it("shows nothing to a guest, with whom nothing is shared", async () => {
    const { as } = await createTestApp();
    const guest = await as({ role: "guest" });
    expect((await guest.get("/v3/recipes")).json()).toMatchObject({ count: 0, results: [] });
    expect((await guest.get("/v1/recipes")).json()).toEqual({ official: [], custom: [] });
  });
});

it("answers a recipe with both its parts", async () => {
  const { as, db } = await createTestApp({ runtimes: [] });
  const robin = await as();
  const uuid = await aCustom(db, "recipes", robin.user, { name: "Fern", description: "green" });
  expect((await robin.get(`/v2/recipes/${uuid}`)).json()).toMatchObject({
    name: "Fern",
    description: "green",
    status: "READY",
    source: "CUSTOM",
    arch: "arm64",
    hardware_profile: { name: "Phone 6.7 in" },
    os_image: { name: "Android 16", is_runtime_configured: false },
  });
  const [official] = (await robin.get("/v3/recipes?source=official")).json().results;
  expect(official.source).toBe("DEFAULT");
});

it("names recipes by kind for older clients", async () => {
  const { as, db } = await createTestApp();
  const robin = await as();
  const uuid = await aCustom(db, "recipes", robin.user, { name: "Fern" });
  const { official, custom } = (await robin.get("/v1/recipes")).json();
  expect(custom).toEqual([{ uuid, name: "Fern" }]);
  expect(official).toHaveLength(102);
});

it("names official recipes however many custom ones there are", async () => {
  const { as, db } = await createTestApp();
  const robin = await as();
  const uuid = await aCustom(db, "recipes", robin.user, { name: "Fern" });
  const before = (await robin.get("/v1/recipes")).json();
  await sql`INSERT INTO recipes (uuid, name, description, status, is_official, owner_uuid, organization_uuid,
      hardware_profile_uuid, os_image_uuid, created_at, updated_at)
    SELECT gen_random_uuid(), 'Moss', description, status, is_official, owner_uuid, organization_uuid,
      hardware_profile_uuid, os_image_uuid, created_at, updated_at
    FROM recipes, generate_series(1, 1000) WHERE uuid = ${uuid}`.execute(db);
  const { official, custom } = (await robin.get("/v1/recipes")).json();
  expect([official, custom.length]).toEqual([before.official, 1000]);
});

it("is listed without the layers of its image", async () => {
  const { as, db } = await createTestApp();
  const { user } = await as();
  const layers = JSON.stringify([{ sha256: "a".repeat(64), size: 1 }]);
  const image = await aCustom(db, "os_images", user, { layers, previous_layers: layers });
  await aCustom(db, "recipes", user, { os_image_uuid: image });
  const reader = { uuid: user.uuid, organization: user.organization_uuid };
  const { results } = await listRecipes(db, reader, { source: "custom" }, { limit: 1, offset: 0 });
  expect(results).toMatchObject([{ os_image: { uuid: image, has_previous_layers: true, saved_size: 1 } }]);
  expect(JSON.stringify(results)).not.toContain("sha256");
});

describe("recipe_count", () => {
  it("counts the recipes of a part that the reader may use", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    const [robin, kim, stranger] = [await as({ organization }), await as({ organization }), await as()];
    const parts = {
      hardware_profile_uuid: await aCustom(db, "hardware_profiles", robin.user),
      os_image_uuid: await aCustom(db, "os_images", robin.user),
    };
    const uuid = await aCustom(db, "recipes", robin.user, parts);
    await aCustom(db, "recipes", kim.user, { ...parts, os_image_uuid: null });
    await aCustom(db, "recipes", stranger.user, parts);
    const expected = { hardware_profile: { recipe_count: 2 }, os_image: { recipe_count: 1 } };
    expect((await robin.get(`/v2/recipes/${uuid}`)).json()).toMatchObject(expected);
    expect((await robin.get("/v3/recipes?source=custom")).json().results).toContainEqual(
      expect.objectContaining({
        uuid,
        hardware_profile: expect.objectContaining(expected.hardware_profile),
        os_image: expect.objectContaining(expected.os_image),
      }),
    );
    const profile = `/v1/hardware-profiles/${parts.hardware_profile_uuid}`;
    const image = `/v1/os-images/${parts.os_image_uuid}`;
    expect((await robin.get(profile)).json()).toMatchObject(expected.hardware_profile);
    expect((await robin.get(image)).json()).toMatchObject(expected.os_image);
    const unused = await aCustom(db, "os_images", robin.user);
    expect((await robin.get(`/v1/os-images?search=${unused}`)).json().results).toMatchObject([{ recipe_count: 0 }]);
    // The official parts of the first recipe are used by official recipes alone, and the stranger sees none of Robin's.
    expect((await stranger.get("/v1/hardware-profiles?source=official")).json().results[0].recipe_count).toBe(
      (await robin.get("/v1/hardware-profiles?source=official")).json().results[0].recipe_count,
    );
  });
});

describe.each([
  ["hardware-profile", "hardware_profile", "HARDWARE_PROFILE_NOT_FOUND"],
  ["os-image", "os_image", "OS_IMAGE_NOT_FOUND"],
] as const)("GET /v1/recipes/:uuid/%s", (path, part, notFound) => {
  it("answers the part of a recipe that one may use", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    const uuid = await aCustom(db, "recipes", robin.user);
    const recipe = (await robin.get(`/v2/recipes/${uuid}`)).json();
    expect((await robin.get(`/v1/recipes/${uuid}/${path}`)).json()).toEqual(recipe[part]);
    const strangers = await (await as()).get(`/v1/recipes/${uuid}/${path}`);
    expect([strangers.statusCode, strangers.json().code]).toEqual([404, "RECIPE_NOT_FOUND"]);
  });

  it("says that it was deleted", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    const uuid = await aCustom(db, "recipes", robin.user, { [`${part}_uuid`]: null });
    const answer = await robin.get(`/v1/recipes/${uuid}/${path}`);
    expect([answer.statusCode, answer.json().code]).toEqual([404, notFound]);
  });
});
