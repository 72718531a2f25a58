import type { Recipe } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";

/** Robin and the colleague Kim, their manager, a stranger, and parts of Robin's. */
async function people({ supported = ["arm64", "x86", "x86_64"] } = {}) {
  const test = await createTestApp();
  const { db, as } = test;
  const organization = await anOrganization(db, { supported_arch: supported });
  const [robin, kim, manager] = [
    await as({ organization }),
    await as({ organization }),
    await as({ organization, role: "manager" }),
  ];
  const profile = await aCustom(db, "hardware_profiles", robin.user, { name: "Robin's phone" });
  const image = await aCustom(db, "os_images", robin.user, { name: "Robin's image" });
  const parts = { hardware_profile_uuid: profile, os_image_uuid: image };
  const recipe = (fields: object = {}) => aCustom(db, "recipes", robin.user, { name: "Fern", ...parts, ...fields });
  const exists = async (table: "recipes" | "hardware_profiles" | "os_images", uuid: string) =>
    (await db.selectFrom(table).select("uuid").where("uuid", "=", uuid).executeTakeFirst()) !== undefined;
  return { ...test, organization, robin, kim, manager, profile, image, parts, recipe, exists };
}

const official = async (path: string, reader: { get: (path: string) => Promise<{ json: () => unknown }> }) =>
  ((await reader.get(path)).json() as { results: { uuid: string }[] }).results[0]?.uuid;

const codeOf = (answer: { statusCode: number; json: () => unknown }) => [
  answer.statusCode,
  (answer.json() as { code: string }).code,
];

describe("POST /v1/recipes", () => {
  it("creates a recipe of the caller's that can be started", async () => {
    const { robin, kim, parts, audited } = await people();
    const created = await robin.post("/v1/recipes/", { ...parts, name: "  Fern ", description: " green " });
    const recipe = created.json<Recipe>();
    expect([created.statusCode, recipe]).toMatchObject([
      201,
      {
        name: "Fern",
        description: "green",
        status: "READY",
        source: "CUSTOM",
        is_official: false,
        arch: "arm64",
        owner: { uuid: robin.user.uuid, email: robin.user.email },
        share: null,
        hardware_profile: { uuid: parts.hardware_profile_uuid, recipe_count: 1 },
        os_image: { uuid: parts.os_image_uuid, recipe_count: 1 },
      },
    ]);
    expect((await kim.get(`/v2/recipes/${recipe.uuid}`)).json()).toEqual({
      ...recipe,
      right: "organization",
      actions: ["start", "duplicate"],
    });
    const started = await kim.post(`/v1/recipes/${recipe.uuid}/start-disposable`, { instance_name: "one" });
    expect(started.statusCode).toBe(201);
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "recipe.create", subject: expect.stringContaining(recipe.uuid) }),
    );
  });

  it("takes official parts, those of colleagues, and no description", async () => {
    const { robin, kim, image } = await people();
    const profile = await official("/v1/hardware-profiles?source=official", robin);
    const body = { name: "x".repeat(250), hardware_profile_uuid: profile, os_image_uuid: image };
    expect((await kim.post("/v1/recipes", body)).json()).toMatchObject({ description: "", name: body.name });
  });

  it.each([
    [{ name: undefined }],
    [{ name: " " }],
    [{ name: "x".repeat(251) }],
    [{ description: "x".repeat(251) }],
    [{ hardware_profile_uuid: undefined }],
    [{ os_image_uuid: undefined }],
  ])("refuses %j", async (fields) => {
    const { robin, parts } = await people();
    const refused = await robin.post("/v1/recipes", { name: "Fern", ...parts, ...fields });
    expect(codeOf(refused)).toEqual([400, "invalid_request"]);
  });

  it("knows no parts of others", async () => {
    const { as, db, robin, parts } = await people();
    const stranger = await as();
    const theirs = {
      hardware_profile_uuid: await aCustom(db, "hardware_profiles", stranger.user),
      os_image_uuid: await aCustom(db, "os_images", stranger.user),
    };
    const create = (fields: object) => robin.post("/v1/recipes", { name: "Fern", ...parts, ...fields });
    for (const hardware_profile_uuid of [theirs.hardware_profile_uuid, randomUUID()])
      expect(codeOf(await create({ hardware_profile_uuid }))).toEqual([404, "HARDWARE_PROFILE_NOT_FOUND"]);
    for (const os_image_uuid of [theirs.os_image_uuid, randomUUID()])
      expect(codeOf(await create({ os_image_uuid }))).toEqual([404, "OS_IMAGE_NOT_FOUND"]);
  });

  it.each([
    ["hardware_profiles", "HARDWARE_PROFILE_NOT_FOUND"],
    ["os_images", "OS_IMAGE_NOT_FOUND"],
  ] as const)("knows no part that is deleted from %s meanwhile", async (table, code) => {
    const { db, robin, parts } = await people();
    let created: ReturnType<typeof robin.post> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.deleteFrom(table).where("uuid", "in", Object.values(parts)).execute();
      created = robin.post("/v1/recipes", { name: "Fern", ...parts });
      await untilBlocked(db);
    });
    expect(codeOf((await created)!)).toEqual([404, code]);
  });

  it("refuses an image that is not for the form factor of the profile", async () => {
    const { db, robin, parts } = await people();
    const watch = await aCustom(db, "hardware_profiles", robin.user, { form_factor: "WATCH" });
    const refused = await robin.post("/v1/recipes", { name: "Fern", ...parts, hardware_profile_uuid: watch });
    expect(codeOf(refused)).toEqual([400, "FORM_FACTOR_MISMATCH"]);
  });

  it("refuses an image of an architecture that the organization does not support", async () => {
    const { db, robin, parts } = await people({ supported: ["arm64"] });
    const x86 = await aCustom(db, "os_images", robin.user, { arch: "x86_64" });
    const refused = await robin.post("/v1/recipes", { name: "Fern", ...parts, os_image_uuid: x86 });
    expect(codeOf(refused)).toEqual([403, "ARCH_NOT_SUPPORTED"]);
    expect((await robin.post("/v1/recipes", { name: "Fern", ...parts })).statusCode).toBe(201);
  });

  it("is closed to guests", async () => {
    const { as, parts } = await people();
    const guest = await as({ role: "guest" });
    expect(codeOf(await guest.post("/v1/recipes", { name: "Fern", ...parts }))).toEqual([403, "FORBIDDEN"]);
  });
});

describe("PUT /v2/recipes/:uuid", () => {
  it("changes what it is given, and leaves the rest", async () => {
    const { db, clock, robin, manager, recipe, parts, audited } = await people();
    const uuid = await recipe({ description: "green" });
    const other = await recipe({ name: "Fir" });
    const before = (await robin.get(`/v2/recipes/${uuid}`)).json();
    await clock.advance(1_000);
    const renamed = (await robin.put(`/v2/recipes/${uuid}/`, { name: " Moss " })).json();
    expect(renamed).toEqual({
      ...before,
      name: "Moss",
      revision: before.revision + 1,
      updated_at: "2026-03-02T09:00:01.000Z",
    });
    const image = await aCustom(db, "os_images", robin.user, { name: "Other" });
    const changed = await manager.put(`/v2/recipes/${uuid}`, { name: "Moss", description: "", os_image_uuid: image });
    expect(changed.json()).toMatchObject({
      name: "Moss",
      description: "",
      owner: { uuid: robin.user.uuid },
      hardware_profile: { uuid: parts.hardware_profile_uuid },
      os_image: { name: "Other" },
    });
    const edits = (await audited()).filter(({ action }) => action === "recipe.edit");
    expect(edits).toHaveLength(2);
    expect((await robin.get(`/v2/recipes/${other}`)).json()).toMatchObject({ name: "Fir", revision: before.revision });
  });

  it("gives a recipe back the part that it lost", async () => {
    const { robin, recipe, image, profile } = await people();
    const uuid = await recipe({ os_image_uuid: null });
    expect((await robin.put(`/v2/recipes/${uuid}`, { name: "still incomplete" })).json().os_image).toBeNull();
    expect((await robin.put(`/v2/recipes/${uuid}`, { os_image_uuid: image })).json()).toMatchObject({
      hardware_profile: { uuid: profile },
      os_image: { uuid: image },
    });
    const both = await recipe({ os_image_uuid: null, hardware_profile_uuid: null });
    const refused = await robin.put(`/v2/recipes/${both}`, { os_image_uuid: image });
    expect(codeOf(refused)).toEqual([404, "HARDWARE_PROFILE_NOT_FOUND"]);
  });

  it("refuses what cannot be a recipe, and changes nothing", async () => {
    const { db, robin, recipe } = await people({ supported: ["arm64"] });
    const uuid = await recipe();
    const before = (await robin.get(`/v2/recipes/${uuid}`)).json();
    const watch = await aCustom(db, "hardware_profiles", robin.user, { form_factor: "WATCH" });
    const x86 = await aCustom(db, "os_images", robin.user, { arch: "x86_64" });
    const edit = async (body: object) => codeOf(await robin.put(`/v2/recipes/${uuid}`, { name: "Moss", ...body }));
    expect([
      await edit({ name: "" }),
      await edit({ name: "x".repeat(251) }),
      await edit({ hardware_profile_uuid: randomUUID() }),
      await edit({ os_image_uuid: randomUUID() }),
      await edit({ hardware_profile_uuid: watch }),
      await edit({ os_image_uuid: x86 }),
    ]).toEqual([
      [400, "invalid_request"],
      [400, "invalid_request"],
      [404, "HARDWARE_PROFILE_NOT_FOUND"],
      [404, "OS_IMAGE_NOT_FOUND"],
      [400, "FORM_FACTOR_MISMATCH"],
      [403, "ARCH_NOT_SUPPORTED"],
    ]);
    expect((await robin.get(`/v2/recipes/${uuid}`)).json()).toEqual(before);
  });

  it("changes only the revision that it is told, if any", async () => {
    const { robin, manager, recipe } = await people();
    const path = `/v2/recipes/${await recipe()}`;
    const { revision } = (await robin.get(path)).json<Recipe>();
    const named = await manager.put(path, { name: "Moss", revision });
    expect([named.statusCode, named.json()]).toMatchObject([200, { name: "Moss", revision: revision + 1 }]);
    expect(codeOf(await robin.put(path, { name: "Fern", description: "green", revision }))).toEqual([
      409,
      "RECIPE_CHANGED",
    ]);
    expect((await manager.get(path)).json()).toEqual(named.json());
    expect((await robin.put(path, { name: "Fern", revision: revision + 1 })).json()).toMatchObject({ name: "Fern" });
    expect((await robin.put(path, { name: "Ivy" })).json()).toMatchObject({ name: "Ivy" });
  });

  it("renames a recipe whose architecture is no longer supported", async () => {
    const { robin, recipe } = await people({ supported: ["x86"] });
    expect((await robin.put(`/v2/recipes/${await recipe()}`, { name: "Moss" })).statusCode).toBe(200);
  });

  it("does not change what runs", async () => {
    const { db, robin, recipe } = await people();
    const uuid = await recipe();
    const device = (await robin.post(`/v1/recipes/${uuid}/start-disposable`, { instance_name: "one" })).json();
    const other = await aCustom(db, "os_images", robin.user, { name: "Other" });
    await robin.put(`/v2/recipes/${uuid}`, { os_image_uuid: other });
    expect((await robin.get(`/v1/instances/${device.uuid}`)).json().os_image).toEqual(device.os_image);
  });
});

describe("DELETE /v1/recipes/:uuid", () => {
  it.each([
    [undefined, true, true],
    [{}, true, true],
    [{ delete_hardware_profile: false, delete_os_image: false }, true, true],
    [{ delete_hardware_profile: true }, false, true],
    [{ delete_os_image: true }, true, false],
    [{ delete_hardware_profile: true, delete_os_image: true }, false, false],
  ])("asked for %j", async (body, keepsProfile, keepsImage) => {
    const { db, robin, recipe, profile, image, exists, audited } = await people();
    const uuid = await recipe();
    const others = [
      ["hardware_profiles", await aCustom(db, "hardware_profiles", robin.user, { name: "Another phone" })],
      ["os_images", await aCustom(db, "os_images", robin.user, { name: "Another image" })],
    ] as const;
    expect((await robin.delete(`/v1/recipes/${uuid}`, body)).statusCode).toBe(204);
    expect(codeOf(await robin.get(`/v2/recipes/${uuid}`))).toEqual([404, "RECIPE_NOT_FOUND"]);
    expect(await exists("hardware_profiles", profile)).toBe(keepsProfile);
    expect(await exists("os_images", image)).toBe(keepsImage);
    for (const [table, other] of others) expect(await exists(table, other)).toBe(true);
    const records = (await audited()).map(({ action, subject }) => `${action} ${subject}`);
    expect(records).toContain(`recipe.delete recipe ${uuid}`);
    const deleted = [
      ...(keepsProfile ? [] : [`hardware_profile.delete hardware_profile ${profile}`]),
      ...(keepsImage ? [] : [`os_image.delete os_image ${image}`]),
    ];
    expect(records.filter((record) => /^(hardware_profile|os_image)\./.test(record))).toEqual(deleted);
  });

  it("leaves what runs running", async () => {
    const { robin, recipe, instance } = await people();
    const uuid = await recipe();
    const device = (await robin.post(`/v1/recipes/${uuid}/start-disposable`, { instance_name: "one" })).json();
    await robin.delete(`/v1/recipes/${uuid}`, { delete_os_image: true });
    expect(await instance(device.uuid)).toBe("CREATING");
    expect((await robin.get(`/v1/instances/${device.uuid}`)).json()).toMatchObject({
      recipe: null,
      os_image: device.os_image,
    });
  });

  it.each([
    ["delete_hardware_profile", "HARDWARE_PROFILE_IN_USE"],
    ["delete_os_image", "OS_IMAGE_IN_USE"],
  ])("deletes nothing if %s is asked for a part of another recipe", async (asked, code) => {
    const { robin, kim, db, recipe, parts, profile, image, exists } = await people();
    const uuid = await recipe();
    const kims = await aCustom(db, "recipes", kim.user, parts);
    expect(codeOf(await robin.delete(`/v1/recipes/${uuid}`, { [asked]: true }))).toEqual([409, code]);
    expect(await exists("recipes", uuid)).toBe(true);
    expect([await exists("hardware_profiles", profile), await exists("os_images", image)]).toEqual([true, true]);
    await kim.delete(`/v1/recipes/${kims}`);
    expect((await robin.delete(`/v1/recipes/${uuid}`, { [asked]: true })).statusCode).toBe(204);
  });

  it.each([
    ["delete_hardware_profile", "HARDWARE_PROFILE_IN_USE"],
    ["delete_os_image", "OS_IMAGE_IN_USE"],
  ])("deletes nothing if %s is asked for a part that another recipe begins to use", async (asked, code) => {
    const { robin, kim, db, recipe, parts, exists } = await people();
    const uuid = await recipe();
    let deleted: ReturnType<typeof robin.delete> | undefined;
    await db.transaction().execute(async (trx) => {
      await aCustom(trx, "recipes", kim.user, parts);
      deleted = robin.delete(`/v1/recipes/${uuid}`, { [asked]: true });
      await untilBlocked(db);
    });
    expect(codeOf((await deleted)!)).toEqual([409, code]);
    expect(await exists("recipes", uuid)).toBe(true);
  });

  it("neither deletes nor uses an image that is being saved", async () => {
    const { robin, db, recipe, parts, image, exists } = await people();
    const uuid = await recipe();
    await db.updateTable("os_images").set({ status: "CREATING" }).where("uuid", "=", image).execute();
    const answers = [
      await robin.delete(`/v1/recipes/${uuid}`, { delete_os_image: true }),
      await robin.post("/v1/recipes", { ...parts, name: "Moss" }),
    ];
    expect(answers.map(codeOf)).toEqual(answers.map(() => [409, "RECIPE_MUST_NOT_BE_SAVING"]));
    expect([await exists("recipes", uuid), await exists("os_images", image)]).toEqual([true, true]);
  });

  it("never deletes official parts", async () => {
    const { robin, db, exists } = await people();
    const uuid = await aCustom(db, "recipes", robin.user);
    const { hardware_profile: profile, os_image: image } = (await robin.get(`/v2/recipes/${uuid}`)).json();
    const answer = await robin.delete(`/v1/recipes/${uuid}`, { delete_hardware_profile: true, delete_os_image: true });
    expect(answer.statusCode).toBe(204);
    expect(await exists("hardware_profiles", profile.uuid)).toBe(true);
    expect(await exists("os_images", image.uuid)).toBe(true);
  });

  it.each([
    ["delete_hardware_profile", "HARDWARE_PROFILE_NOT_ALLOWED"],
    ["delete_os_image", "OS_IMAGE_NOT_ALLOWED"],
  ])("deletes nothing if %s is asked for a colleague's part; a manager may", async (asked, code) => {
    const { kim, manager, db, parts, exists } = await people();
    const uuid = await aCustom(db, "recipes", kim.user, parts);
    expect(codeOf(await kim.delete(`/v1/recipes/${uuid}`, { [asked]: true }))).toEqual([403, code]);
    expect(await exists("recipes", uuid)).toBe(true);
    expect((await manager.delete(`/v1/recipes/${uuid}`, { [asked]: true })).statusCode).toBe(204);
  });
});

describe.each([
  ["PUT /v2/recipes/:uuid", "put", (uuid: string) => `/v2/recipes/${uuid}`],
  ["DELETE /v1/recipes/:uuid", "delete", (uuid: string) => `/v1/recipes/${uuid}`],
] as const)("%s", (_, verb, path) => {
  it("is refused to colleagues and for official recipes; to others the recipe is unknown", async () => {
    const { as, robin, kim, manager, recipe } = await people();
    const uuid = await recipe();
    const officials = (await official("/v3/recipes?source=official", robin)) ?? "";
    expect([
      codeOf(await kim[verb](path(uuid), {})),
      codeOf(await manager[verb](path(officials), {})),
      codeOf(await (await as({ role: "manager" }))[verb](path(uuid), {})),
      codeOf(await robin[verb](path(randomUUID()), {})),
      codeOf(await (await as({ role: "guest" }))[verb](path(uuid), {})),
    ]).toEqual([
      [403, "RECIPE_NOT_ALLOWED"],
      [403, "RECIPE_NOT_ALLOWED"],
      [404, "RECIPE_NOT_FOUND"],
      [404, "RECIPE_NOT_FOUND"],
      [403, "FORBIDDEN"],
    ]);
  });

  it.each(["CREATING", "UPDATING"])("is refused while the recipe is %s", async (status) => {
    const { robin, recipe } = await people();
    const answer = await robin[verb](path(await recipe({ status })), {});
    expect(codeOf(answer)).toEqual([409, "RECIPE_MUST_NOT_BE_SAVING"]);
  });

  it.each(["ERROR", "READY"])("is done to a recipe that is %s", async (status) => {
    const { robin, recipe } = await people();
    const answer = await robin[verb](path(await recipe({ status })), {});
    expect(answer.statusCode).toBeLessThan(300);
  });
});
