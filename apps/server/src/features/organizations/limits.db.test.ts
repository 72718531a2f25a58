import { copyOf } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../database/schema.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";

/** Robin and Kim of one organization with these limits, and somebody of another. */
async function setUp(limits: Partial<Insertable<Schema["organizations"]>> = {}) {
  const test = await createTestApp();
  const organization = await anOrganization(test.db, limits);
  const [robin, kim, stranger] = [
    await test.as({ organization }),
    await test.as({ organization }),
    await test.as({ organization: await anOrganization(test.db, limits) }),
  ];
  const parts = (await robin.get("/v3/recipes?source=official&page_size=1")).json().results[0];
  const display_settings = { displays: [{ width: 1080, height: 2400, density: 420 }] };
  const create = {
    recipe: (person = robin) =>
      person.post("/v1/recipes", {
        name: "Fern",
        description: "",
        hardware_profile_uuid: parts.hardware_profile.uuid,
        os_image_uuid: parts.os_image.uuid,
      }),
    profile: (person = robin) => person.post("/v1/hardware-profiles", { name: "Fern", display_settings }),
    image: (person = robin) => person.post(`/v1/os-images/${parts.os_image.uuid}/duplicate`, { name: copyOf("Fern") }),
  };
  return { ...test, organization, robin, kim, stranger, create };
}

const codesOf = (replies: { statusCode: number; json: () => { code?: string } }[]) =>
  replies.map((reply) => reply.json().code ?? `${reply.statusCode}`).toSorted();

describe.each([
  ["recipe", "recipes", "TOO_MANY_RECIPES"],
  ["profile", "hardware_profiles", "TOO_MANY_HARDWARE_PROFILES"],
  ["image", "os_images", "TOO_MANY_OS_IMAGES"],
] as const)("the limit of %ss", (noun, table, code) => {
  it("counts those of all people of the organization, and no others", async () => {
    const { create, robin, kim, stranger, db } = await setUp({ [`${table}_max`]: 2 });
    expect(codesOf([await create[noun]()])).toEqual(["201"]);
    await aCustom(db, table, kim.user);
    const refused = await create[noun](robin);
    expect([refused.statusCode, refused.json().code]).toEqual([403, code]);
    expect(codesOf([await create[noun](kim), await create[noun](stranger)])).toEqual(["201", code]);
    await db.deleteFrom(table).where("owner_uuid", "=", kim.user.uuid).execute();
    expect(codesOf([await create[noun]()])).toEqual(["201"]);
  });

  it("holds for concurrent requests", async () => {
    const { create, robin, kim, db, organization } = await setUp({ [`${table}_max`]: 3 });
    const replies = await Promise.all([robin, kim, robin, kim, robin, kim, robin].map(create[noun]));
    expect(codesOf(replies)).toEqual(["201", "201", "201", code, code, code, code]);
    const rows = await db.selectFrom(table).select("uuid").where("organization_uuid", "=", organization).execute();
    expect(rows).toHaveLength(3);
  });
});

it("an organization may have a thousand of each by default, and store 50 GiB", async () => {
  const { db, organization } = await setUp();
  expect(
    await db.selectFrom("organizations").selectAll().where("uuid", "=", organization).executeTakeFirstOrThrow(),
  ).toMatchObject({
    recipes_max: 1000,
    hardware_profiles_max: 1000,
    os_images_max: 1000,
    saved_bytes_max: 50 * 1024 ** 3,
  });
});
