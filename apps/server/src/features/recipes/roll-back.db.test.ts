import type { Layer } from "@terrarium/runtime";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";

const before: Layer[] = [{ sha256: "a".repeat(64), size: 1 }];
const after: Layer[] = [...before, { sha256: "b".repeat(64), size: 2 }];
const saved = { layers: JSON.stringify(after), previous_layers: JSON.stringify(before) };

async function setUp({
  image: imageFields = saved,
  recipe: recipeFields = {},
}: { image?: object; recipe?: object } = {}) {
  const test = await createTestApp();
  const { db } = test;
  const robin = await test.as();
  const image = await aCustom(db, "os_images", robin.user, imageFields);
  const recipe = await aCustom(db, "recipes", robin.user, { os_image_uuid: image, ...recipeFields });
  return {
    ...test,
    robin,
    recipe,
    image,
    async rollBack(person = robin, uuid = recipe) {
      const reply = await test.call("PUT", `/v1/recipes/${uuid}/rollback`, { headers: person.headers });
      return { status: reply.statusCode, code: reply.json().code, recipe: reply.json() };
    },
    canRollBack: async (uuid = recipe) => (await robin.get(`/v2/recipes/${uuid}`)).json().can_roll_back,
    imageRow: () => db.selectFrom("os_images").selectAll().where("uuid", "=", image).executeTakeFirstOrThrow(),
  };
}

describe("PUT /v1/recipes/:uuid/rollback", () => {
  it("brings back the layers of before the last save, once", async () => {
    const { db, robin, rollBack, canRollBack, imageRow, recipe } = await setUp();
    const other = await aCustom(db, "os_images", robin.user, saved);
    expect(await canRollBack()).toBe(true);
    expect(await rollBack()).toMatchObject({
      status: 200,
      recipe: { uuid: recipe, status: "READY", can_roll_back: false },
    });
    expect(await imageRow()).toMatchObject({ layers: before, previous_layers: null });
    expect(await rollBack()).toMatchObject({ status: 409, code: "RECIPE_NOT_SAVED_BEFORE" });
    const image = await db.selectFrom("os_images").select("layers").where("uuid", "=", other).executeTakeFirst();
    expect(image?.layers).toEqual(after);
  });

  it("brings back an image without layers", async () => {
    const { rollBack, imageRow } = await setUp({ image: { layers: saved.layers, previous_layers: "[]" } });
    await rollBack();
    expect((await imageRow()).layers).toEqual([]);
  });

  it("brings back the recipe's former image, and keeps the one that the save gave it", async () => {
    const { db, robin, rollBack, recipe, image, imageRow } = await setUp({ image: { layers: saved.layers } });
    const former = await aCustom(db, "os_images", robin.user);
    await db.updateTable("recipes").set({ previous_os_image_uuid: former }).where("uuid", "=", recipe).execute();
    const other = await aCustom(db, "recipes", robin.user, { os_image_uuid: image, previous_os_image_uuid: former });
    expect(await rollBack()).toMatchObject({
      status: 200,
      recipe: { os_image: { uuid: former }, can_roll_back: false },
    });
    expect([(await imageRow()).uuid, (await imageRow()).layers]).toEqual([image, after]);
    expect((await rollBack()).code).toBe("RECIPE_NOT_SAVED_BEFORE");
    const rows = db.selectFrom("recipes").select(["os_image_uuid", "previous_os_image_uuid"]).where("uuid", "=", other);
    expect(await rows.execute()).toEqual([{ os_image_uuid: image, previous_os_image_uuid: former }]);
  });

  it("is refused if the former image is not for what is now the recipe's hardware profile", async () => {
    const { db, robin, rollBack, recipe, image } = await setUp({
      image: { layers: saved.layers, form_factors: ["PHONE", "TV"] },
    });
    const former = await aCustom(db, "os_images", robin.user, { form_factors: ["PHONE"] });
    const tv = await aCustom(db, "hardware_profiles", robin.user, { form_factor: "TV" });
    const set = { previous_os_image_uuid: former, hardware_profile_uuid: tv };
    await db.updateTable("recipes").set(set).where("uuid", "=", recipe).execute();
    expect(await rollBack()).toMatchObject({ status: 400, code: "FORM_FACTOR_MISMATCH" });
    expect((await robin.get(`/v2/recipes/${recipe}`)).json().os_image.uuid).toBe(image);
  });

  it("brings back the image of a recipe that has lost its hardware profile", async () => {
    const { rollBack, imageRow } = await setUp({ recipe: { hardware_profile_uuid: null } });
    expect((await rollBack()).status).toBe(200);
    expect((await imageRow()).layers).toEqual(before);
  });

  it("is recorded", async () => {
    const { rollBack, audited, recipe } = await setUp();
    await rollBack();
    expect(await audited()).toContainEqual(
      expect.objectContaining({ action: "recipe.roll_back", subject: `recipe ${recipe}` }),
    );
  });

  it("is over when the recipe is given another image", async () => {
    const { db, robin, call, rollBack, recipe } = await setUp({ image: { layers: saved.layers } });
    const [former, other] = [await aCustom(db, "os_images", robin.user), await aCustom(db, "os_images", robin.user)];
    await db.updateTable("recipes").set({ previous_os_image_uuid: former }).where("uuid", "=", recipe).execute();
    const edit = (body: object) => call("PUT", `/v2/recipes/${recipe}`, { headers: robin.headers, body });
    expect((await edit({ name: "Fern" })).json()).toMatchObject({ name: "Fern", can_roll_back: true });
    expect((await edit({ os_image_uuid: other })).json().can_roll_back).toBe(false);
    expect((await rollBack()).code).toBe("RECIPE_NOT_SAVED_BEFORE");
  });

  it("is for those who may edit the recipe: the owner, and managers of the organization", async () => {
    const { as, robin, rollBack, imageRow, db } = await setUp();
    const organization = robin.user.organization_uuid!;
    expect(await rollBack(await as({ organization }))).toMatchObject({ status: 403, code: "RECIPE_NOT_ALLOWED" });
    expect(await rollBack(await as({ role: "manager" }))).toMatchObject({ status: 404, code: "RECIPE_NOT_FOUND" });
    expect(await rollBack(await as({ role: "guest" }))).toMatchObject({ status: 403, code: "FORBIDDEN" });
    const official = await db
      .selectFrom("recipes")
      .select("uuid")
      .where("is_official", "=", true)
      .executeTakeFirstOrThrow();
    expect(await rollBack(robin, official.uuid)).toMatchObject({ status: 403, code: "RECIPE_NOT_ALLOWED" });
    expect((await imageRow()).layers).toEqual(after);
    expect(await rollBack(await as({ role: "manager", organization }))).toMatchObject({ status: 200 });
  });

  it("is refused for the saved image of somebody else, which the recipe only uses", async () => {
    const { as, db, robin, rollBack, recipe, canRollBack } = await setUp();
    const kim = await as({ organization: robin.user.organization_uuid! });
    const theirs = await aCustom(db, "os_images", kim.user, saved);
    await db.updateTable("recipes").set({ os_image_uuid: theirs }).where("uuid", "=", recipe).execute();
    expect([(await rollBack()).code, await canRollBack()]).toEqual(["RECIPE_NOT_SAVED_BEFORE", false]);
  });

  it.each(["recipes", "os_images"] as const)("is refused if a save of the %s begins meanwhile", async (table) => {
    const { db, recipe, image, rollBack, imageRow } = await setUp();
    let answer: ReturnType<typeof rollBack> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable(table).set({ status: "UPDATING" }).where("uuid", "in", [recipe, image]).execute();
      answer = rollBack();
      await untilBlocked(db);
    });
    expect(await answer).toMatchObject({ status: 409, code: "RECIPE_MUST_NOT_BE_SAVING" });
    expect((await imageRow()).layers).toEqual(after);
  });

  it.each([
    ["the recipe is", { recipe: { status: "UPDATING" } }],
    ["the image is, through another recipe", { image: { ...saved, status: "UPDATING" } }],
    ["the recipe is being created", { recipe: { status: "CREATING" } }],
  ])("is refused while %s being saved", async (_, fields) => {
    const { rollBack, canRollBack, imageRow } = await setUp(fields);
    expect(await rollBack()).toMatchObject({ status: 409, code: "RECIPE_MUST_NOT_BE_SAVING" });
    expect([await canRollBack(), (await imageRow()).layers]).toEqual([false, after]);
  });
});
