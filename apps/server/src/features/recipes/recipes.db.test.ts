import type { Recipe } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { describeOwnedRows } from "../../testing/owned-rows.ts";

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

const kindOf = ({ hardware_profile: { form_factor, display_mode } }: Recipe) =>
  display_mode === "FOLDABLE" ? "FOLDABLE" : form_factor;

describe("GET /v3/recipes", () => {
  it.each([
    ["arch=arm64", ["arm64"]],
    ["arch=x86_64,arm64", ["arm64", "x86_64"]],
    ["arch=x86", []],
    ["arch=all", ["arm64", "x86_64"]],
  ])("shows by %s", async (query, expected) => {
    const { as } = await createTestApp();
    const { count, results } = (await (await as()).get(`/v3/recipes?page_size=-1&${query}`)).json<{
      count: number;
      results: Recipe[];
    }>();
    expect([...new Set(results.map(({ arch }) => arch))].sort()).toEqual(expected);
    expect([count, results.length]).toEqual([expected.length * 42, expected.length * 42]);
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
    expect([...new Set(results.map(kindOf))].sort()).toEqual(expected);
    expect(count).toBe(results.length);
  });

  it("shows none that has lost its hardware profile or its image", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    const lost = await aCustom(db, "recipes", robin.user, { name: "Fern", os_image_uuid: null });
    expect((await robin.get("/v3/recipes?source=custom")).json().count).toBe(0);
    expect((await robin.get(`/v2/recipes/${lost}`)).json().code).toBe("RECIPE_NOT_FOUND");
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
  expect(official).toHaveLength(84);
});
