import type { CompleteRecipe } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { moveInstance } from "./move-instance.ts";

interface Options {
  canSave?: boolean;
  /** The recipe has an official image. */
  officialImage?: boolean;
  /** Of the recipe that the device is started from. */
  recipe?: object;
}

/** A person with a recipe and an image of their own, and a device that was started from it. */
async function setUp({ canSave = true, officialImage = false, recipe: fields = {} }: Options = {}) {
  const test = await createTestApp();
  const { db, clock } = test;
  const robin = await test.as();
  const image = await aCustom(db, "os_images", robin.user, { name: "Moss 1" });
  const parts = officialImage ? {} : { os_image_uuid: image };
  const recipe = await aCustom(db, "recipes", robin.user, { name: "Moss", ...parts, ...fields });
  const start = async (of = recipe, person = robin) => {
    const body = { instance_name: "one", rename_on_conflict: true };
    return (await person.post(`/v1/recipes/${of}/start-disposable`, body)).json<{ uuid: string }>().uuid;
  };
  const comeOnline = async (uuid: string) => {
    const move = { uuid, now: new Date(clock.now()) };
    const adb = { host: "127.0.0.1", port: 1 };
    await moveInstance(db, { ...move, event: "powered", machine: { adb, canSave } });
    await moveInstance(db, { ...move, event: "answered" });
    await moveInstance(db, { ...move, event: "booted" });
    return uuid;
  };
  const startOnline = async (of = recipe, person = robin) => comeOnline(await start(of, person));
  const save = async (uuid: string, body: object, person = robin, more: Record<string, string> = {}) => {
    const reply = await person.post(`/v1/instances/${uuid}/save`, body, more);
    return { status: reply.statusCode, code: reply.json().code, recipe: reply.json<CompleteRecipe>() };
  };
  const statuses = async (made: CompleteRecipe) => ({
    recipe: (await robin.get(`/v2/recipes/${made.uuid}`)).json().status,
    image: (await robin.get(`/v1/os-images/${made.os_image?.uuid}`)).json().status,
  });
  return { ...test, robin, recipe, image, start, comeOnline, startOnline, save, statuses };
}

describe("POST /v1/instances/:uuid/save", () => {
  it("updates the recipe and the image that the device was started from, if both are the caller's", async () => {
    const { startOnline, save, robin, recipe, image, statuses } = await setUp();
    const device = await startOnline();
    const saved = await save(device, { action: "SAVE" });
    expect([saved.status, saved.recipe]).toMatchObject([
      201,
      { uuid: recipe, name: "Moss", status: "UPDATING", os_image: { uuid: image, name: "Moss 1", status: "UPDATING" } },
    ]);
    expect(await statuses(saved.recipe)).toEqual({ recipe: "UPDATING", image: "UPDATING" });
    expect((await robin.get(`/v1/instances/${device}`)).json()).toMatchObject({
      state: "SAVING",
      can_save: true,
      save: { action: "update", recipe_uuid: recipe, progress: 0 },
    });
  });

  it("gives a recipe whose image is official a new one, and leaves it with the official one until that is saved", async () => {
    const { startOnline, save, robin, db, recipe } = await setUp({ officialImage: true });
    const { name, uuid } = (await robin.get(`/v2/recipes/${recipe}`)).json().os_image;
    const { recipe: saved } = await save(await startOnline(), { action: "update" });
    expect(saved).toMatchObject({ uuid: recipe, status: "UPDATING", os_image: { uuid, status: "READY" } });
    const made = await db
      .selectFrom("os_images")
      .selectAll()
      .where("status", "=", "CREATING")
      .executeTakeFirstOrThrow();
    expect(made).toMatchObject({
      name: `Copy of ${name}`,
      is_official: false,
      owner_uuid: robin.user.uuid,
      layers: [],
    });
  });

  it("gives the recipe a new image too if its image is a colleague's, or another than the device was started from", async () => {
    const { startOnline, save, as, db, recipe, robin, start, comeOnline } = await setUp();
    const kim = await as({ organization: robin.user.organization_uuid! });
    const theirs = await aCustom(db, "os_images", kim.user);
    const mine = await aCustom(db, "recipes", robin.user, { os_image_uuid: theirs });
    expect((await save(await startOnline(mine), { action: "update" })).recipe.os_image).toMatchObject({
      status: "READY",
    });
    const device = await start();
    const other = await aCustom(db, "os_images", robin.user);
    await db.updateTable("recipes").set({ os_image_uuid: other }).where("uuid", "=", recipe).execute();
    expect((await save(await comeOnline(device), { action: "update" })).recipe.os_image).toMatchObject({
      uuid: other,
      status: "READY",
    });
  });

  it.each(["SAVE_AS", "save_as", "save-as"])("creates a recipe and an image by %s", async (action) => {
    const { startOnline, save, robin, image } = await setUp();
    const names = { new_recipe_name: " Fern ", new_os_image_name: "Fern 1" };
    const { status, recipe } = await save(await startOnline(), { action, ...names });
    expect(status).toBe(201);
    expect(recipe).toMatchObject({
      name: "Fern",
      status: "CREATING",
      is_official: false,
      os_image: { name: "Fern 1", status: "CREATING", is_official: false },
    });
    expect(recipe.os_image?.uuid).not.toBe(image);
    expect((await robin.get(`/v2/recipes/${recipe.uuid}`)).json().status).toBe("CREATING");
  });

  it("calls what it creates copies, unless names are given", async () => {
    const { startOnline, save } = await setUp({ recipe: { name: "ü".repeat(249) } });
    const { recipe } = await save(await startOnline(), { action: "save_as", new_recipe_name: null });
    expect([recipe.name, recipe.os_image?.name]).toEqual([`Copy of ${"ü".repeat(242)}`, "Copy of Moss 1"]);
  });

  it("creates a recipe without a hardware profile if that was deleted meanwhile", async () => {
    const { db, robin, startOnline, save } = await setUp();
    const profile = await aCustom(db, "hardware_profiles", robin.user);
    const of = await aCustom(db, "recipes", robin.user, { hardware_profile_uuid: profile });
    const device = await startOnline(of);
    await db.deleteFrom("hardware_profiles").where("uuid", "=", profile).execute();
    expect((await save(device, { action: "save_as" })).recipe).toMatchObject({
      hardware_profile: null,
      status: "CREATING",
    });
  });

  it("refuses what would give a recipe an image that is not for its present hardware profile, and changes nothing", async () => {
    const { db, robin, recipe, startOnline, save } = await setUp();
    const device = await startOnline();
    const tv = await aCustom(db, "hardware_profiles", robin.user, { form_factor: "TV" });
    await db.updateTable("recipes").set({ hardware_profile_uuid: tv }).where("uuid", "=", recipe).execute();
    expect(await save(device, { action: "update" })).toMatchObject({ status: 400, code: "FORM_FACTOR_MISMATCH" });
    expect((await robin.get(`/v2/recipes/${recipe}`)).json().status).toBe("READY");
    expect((await robin.get(`/v1/instances/${device}`)).json().state).toBe("ONLINE");
  });

  it("creates a copy of an official recipe, which cannot be updated", async () => {
    const { robin, save, startOnline } = await setUp();
    const [official] = (await robin.get("/v3/recipes?source=official")).json().results;
    const device = await startOnline(official.uuid);
    expect(await save(device, { action: "update" })).toMatchObject({ status: 400, code: "RECIPE_NOT_OWNED" });
    expect((await save(device, { action: "save_as" })).recipe).toMatchObject({
      is_official: false,
      status: "CREATING",
    });
  });

  it("lets a colleague and a manager copy a recipe of the organization, and not update it", async () => {
    const { as, robin, recipe, startOnline, save } = await setUp();
    for (const role of ["user", "manager"] as const) {
      const kim = await as({ role, organization: robin.user.organization_uuid! });
      const device = await startOnline(recipe, kim);
      expect(await save(device, { action: "update" }, kim)).toMatchObject({ status: 400, code: "RECIPE_NOT_OWNED" });
      expect((await save(device, { action: "save_as" }, kim)).recipe.os_image).toMatchObject({
        name: "Copy of Moss 1",
      });
    }
  });

  it.each([
    ["a blank name", { action: "save_as", new_recipe_name: "  " }, "new_recipe_name"],
    ["a name that is too long", { action: "save_as", new_os_image_name: "x".repeat(251) }, "new_os_image_name"],
    ["another action", { action: "destroy" }, "action"],
    ["no action", {}, "action"],
  ])("refuses %s", async (_, body, field) => {
    const { robin, startOnline } = await setUp();
    const reply = await robin.post(`/v1/instances/${await startOnline()}/save`, body);
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: "invalid_request", fields: [{ field }] }]);
  });

  it("refuses a device that is not online, or is being saved already", async () => {
    const { start, comeOnline, save } = await setUp();
    const device = await start();
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 409, code: "INSTANCE_NOT_ONLINE" });
    await comeOnline(device);
    await save(device, { action: "save_as" });
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 409, code: "INSTANCE_NOT_ONLINE" });
  });

  it("refuses a device whose runtime cannot save, which its answer says before", async () => {
    const { startOnline, robin, save } = await setUp({ canSave: false });
    const device = await startOnline();
    expect((await robin.get(`/v1/instances/${device}`)).json().can_save).toBe(false);
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 409, code: "RUNTIME_CANNOT_SAVE" });
  });

  it("refuses a device whose recipe was deleted", async () => {
    const { startOnline, db, recipe, save } = await setUp();
    const device = await startOnline();
    await db.deleteFrom("recipes").where("uuid", "=", recipe).execute();
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 409, code: "INSTANCE_HAS_NO_RECIPE" });
  });

  it("refuses a recipe of another organization, even on one's own device", async () => {
    const { as, db, startOnline, save } = await setUp();
    const recipe = await aCustom(db, "recipes", (await as()).user);
    const device = await startOnline();
    await db.updateTable("instances").set({ recipe_uuid: recipe }).where("uuid", "=", device).execute();
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 403, code: "INSTANCE_SAVE_NOT_ALLOWED" });
  });

  it("refuses everybody but the owner, and a guest their own device", async () => {
    const { as, db, robin, startOnline, save } = await setUp();
    const device = await startOnline();
    const organization = robin.user.organization_uuid!;
    for (const role of ["user", "manager"] as const)
      expect(await save(device, { action: "save_as" }, await as({ role, organization }))).toMatchObject({
        status: 403,
        code: "INSTANCE_SAVE_NOT_ALLOWED",
      });
    const guest = await as({ role: "guest" });
    expect(await save(device, { action: "save_as" }, guest)).toMatchObject({ status: 404, code: "INSTANCE_NOT_FOUND" });
    // Started before they became one, from what everybody may copy.
    const [official] = (await robin.get("/v3/recipes?source=official")).json().results;
    const own = await startOnline(official.uuid);
    await db.updateTable("instances").set({ owner_uuid: guest.user.uuid }).where("uuid", "=", own).execute();
    expect(await save(own, { action: "save_as" }, guest)).toMatchObject({
      status: 403,
      code: "INSTANCE_SAVE_NOT_ALLOWED",
    });
  });

  it("saves into a recipe, and into an image that several recipes have, once at a time", async () => {
    const { db, robin, image, startOnline, save, recipe } = await setUp();
    const sibling = await aCustom(db, "recipes", robin.user, { os_image_uuid: image });
    const [first, second, third] = [await startOnline(), await startOnline(), await startOnline(sibling)];
    const saves = await Promise.all([save(first, { action: "update" }), save(second, { action: "update" })]);
    expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    expect(saves.find(({ status }) => status === 409)?.code).toBe("RECIPE_MUST_NOT_BE_SAVING");
    expect(await save(third, { action: "update" })).toMatchObject({ status: 409, code: "RECIPE_MUST_NOT_BE_SAVING" });
    const start = await robin.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "late" });
    expect(start.json().code).toBe("RECIPE_NOT_READY");
  });

  it("answers a repeated request with the first one's reply, and saves once", async () => {
    const { db, robin, startOnline, save } = await setUp();
    const device = await startOnline();
    const key = { "idempotency-key": randomUUID() };
    const [first, second] = await Promise.all([1, 2].map(() => save(device, { action: "save_as" }, robin, key)));
    expect(second).toEqual(first);
    expect(await db.selectFrom("recipes").select("uuid").where("status", "=", "CREATING").execute()).toHaveLength(1);
    expect((await save(device, { action: "update" }, robin, key)).code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it.each([
    ["recipes_max", "TOO_MANY_RECIPES", "save_as", {}],
    ["os_images_max", "TOO_MANY_OS_IMAGES", "save_as", {}],
    ["os_images_max", "TOO_MANY_OS_IMAGES", "update", { officialImage: true }],
  ] as const)("needs room for what it creates: %s, %s by %s", async (limit, code, action, options) => {
    const { db, startOnline, save, instance } = await setUp(options);
    const device = await startOnline();
    await db
      .updateTable("organizations")
      .set({ [limit]: 1 })
      .execute();
    expect(await save(device, { action })).toMatchObject({ status: 403, code });
    expect(await instance(device)).toBe("ONLINE");
  });

  it("creates nothing more if it updates what is there", async () => {
    const { db, startOnline, save } = await setUp();
    const device = await startOnline();
    await db.updateTable("organizations").set({ recipes_max: 0, os_images_max: 0 }).execute();
    expect((await save(device, { action: "update" })).status).toBe(201);
  });

  it("is refused to an organization whose saved states leave less than a MiB", async () => {
    const { db, robin, image, startOnline, save } = await setUp();
    const MIB = 1024 ** 2;
    const [one, two, former] = ["a", "b", "c"].map((name) => ({ sha256: name.repeat(64), size: MIB }));
    await db.insertInto("layers").values([one!, two!, former!]).execute();
    await db
      .updateTable("os_images")
      .set({ layers: JSON.stringify([one, two]), previous_layers: JSON.stringify([one, former]) })
      .where("uuid", "=", image)
      .execute();
    // Layers of several images count once.
    await aCustom(db, "os_images", robin.user, { layers: JSON.stringify([one, two]) });
    const device = await startOnline();
    const limitTo = (saved_bytes_max: number) => db.updateTable("organizations").set({ saved_bytes_max }).execute();
    await limitTo(4 * MIB - 1);
    expect(await save(device, { action: "save_as" })).toMatchObject({ status: 403, code: "TOO_MUCH_SAVED" });
    await limitTo(4 * MIB);
    expect((await save(device, { action: "save_as" })).status).toBe(201);
  });
});

it("undoes a save that has failed, and not once more when its device ends while another is saved", async () => {
  const { db, clock, startOnline, save, statuses } = await setUp();
  const [first, second] = [await startOnline(), await startOnline()];
  const fail = (event: "saveFailed" | "fail") => moveInstance(db, { uuid: first, event, now: new Date(clock.now()) });
  const { recipe } = await save(first, { action: "update" });
  await fail("saveFailed");
  expect(await statuses(recipe)).toEqual({ recipe: "READY", image: "READY" });
  await save(second, { action: "update" });
  await fail("fail");
  expect(await statuses(recipe)).toEqual({ recipe: "UPDATING", image: "UPDATING" });
});
