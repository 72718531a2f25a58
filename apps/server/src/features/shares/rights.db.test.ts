import { type Recipe, type RecipeAction, recipeActions } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { aCustom } from "../../testing/factories.ts";
import { outcomeOf, sharing } from "../../testing/sharing.ts";

type Sharing = Awaited<ReturnType<typeof sharing>>;
type Person = Sharing["robin"];

/** A request about the recipe, or about its share. */
type Attempt = (test: Sharing, person: Person, share: string) => ReturnType<Person["get"]>;

const refused = "403 RECIPE_NOT_ALLOWED";
const closed = "403 FORBIDDEN";

/** How each action is tried, what it answers where it is allowed, and otherwise. */
const routes: Record<
  RecipeAction,
  { attempt: (test: Sharing, person: Person) => ReturnType<Person["get"]>; allowed: string; refused: string }
> = {
  start: { attempt: ({ startAs }, person) => startAs(person), allowed: "201", refused: "never" },
  duplicate: {
    attempt: ({ parts }, person) => person.post("/v1/recipes", { name: "Copy of Fern", ...parts }),
    allowed: "201",
    // Its parts are not theirs to use.
    refused: "404 HARDWARE_PROFILE_NOT_FOUND",
  },
  edit: {
    attempt: ({ recipe }, person) => person.put(`/v2/recipes/${recipe}`, { name: "Moss" }),
    allowed: "200",
    refused,
  },
  share: {
    attempt: ({ shareAs, own }, person) => shareAs(person, { organizations: [own] }),
    allowed: "201",
    refused: "403 RECIPE_SHARE_NOT_ALLOWED",
  },
  save: {
    attempt: async ({ startAs, db }, person) => {
      const { uuid } = (await startAs(person)).json<{ uuid: string }>();
      await db.updateTable("instances").set({ state: "ONLINE", can_save: true }).where("uuid", "=", uuid).execute();
      return person.post(`/v1/instances/${uuid}/save`, { action: "update" });
    },
    allowed: "201",
    refused: "400 RECIPE_NOT_OWNED",
  },
  roll_back: {
    attempt: ({ recipe }, person) => person.put(`/v1/recipes/${recipe}/rollback`),
    allowed: "200",
    refused,
  },
  delete: { attempt: ({ recipe }, person) => person.delete(`/v1/recipes/${recipe}`), allowed: "204", refused },
};

/** Who is what, and may do what. Guests are turned away by the routes themselves, and others' saves before it is known where to. */
const rights: {
  who: keyof Sharing["people"];
  named: boolean;
  right: Recipe["right"];
  actions: RecipeAction[];
  refusals?: Partial<Record<RecipeAction, string>>;
}[] = [
  { who: "robin", named: false, right: "owner", actions: [...recipeActions] },
  {
    who: "manager",
    named: false,
    right: "organization",
    actions: ["start", "duplicate", "edit", "share", "roll_back", "delete"],
  },
  { who: "kim", named: false, right: "organization", actions: ["start", "duplicate"] },
  { who: "kim", named: true, right: "collaborator", actions: ["start", "duplicate", "edit", "share"] },
  {
    who: "otto",
    named: true,
    right: "collaborator",
    actions: ["start", "edit", "share"],
    refusals: { save: "403 INSTANCE_SAVE_NOT_ALLOWED" },
  },
  {
    who: "oona",
    named: false,
    right: "organization",
    actions: ["start"],
    refusals: { save: "403 INSTANCE_SAVE_NOT_ALLOWED" },
  },
  {
    who: "stranger",
    named: false,
    right: "organization",
    actions: ["start"],
    refusals: { save: "403 INSTANCE_SAVE_NOT_ALLOWED" },
  },
  {
    who: "gil",
    named: true,
    right: "guest",
    actions: ["start"],
    refusals: {
      duplicate: closed,
      edit: closed,
      share: closed,
      save: "403 INSTANCE_SAVE_NOT_ALLOWED",
      roll_back: closed,
      delete: closed,
    },
  },
];

/** The recipe shared with the other organization and perhaps by name, and with a state to go back to. */
async function sharedWith(who: keyof Sharing["people"], isNamed: boolean) {
  const test = await sharing();
  const { robin, people, other, shareAs, parts, db } = test;
  const users = isNamed ? [people[who].user.uuid] : [];
  await shareAs(robin, { recipients: { users }, organizations: [other] });
  await db
    .updateTable("os_images")
    .set({ previous_layers: JSON.stringify([]) })
    .where("uuid", "=", parts.os_image_uuid)
    .execute();
  return { test, person: people[who] };
}

describe.each(rights)("$who ($right, named: $named)", ({ who, named, right, actions, refusals = {} }) => {
  it("is told so", async () => {
    const { test, person } = await sharedWith(who, named);
    const told = (await person.get(`/v2/recipes/${test.recipe}`)).json<Recipe>();
    expect([told.right, told.actions]).toEqual([right, actions]);
    const listed = (await person.get(`/v3/recipes?search=${test.recipe}`)).json<{ results: Recipe[] }>();
    expect(listed.results).toEqual([told]);
  });

  // A recipe that is being saved can neither be changed nor deleted.
  it.each([[recipeActions.filter((action) => action !== "save")], [["save"] as const]])(
    "can do %j, or cannot",
    async (tried) => {
      const { test, person } = await sharedWith(who, named);
      const [outcomes, expected]: Record<string, string>[] = [{}, {}];
      for (const action of tried) {
        const { attempt, allowed, refused: refusal } = routes[action];
        outcomes![action] = outcomeOf(await attempt(test, person));
        expected![action] = actions.includes(action) ? allowed : (refusals[action] ?? refusal);
      }
      expect(outcomes).toEqual(expected);
    },
  );
});

it("official recipes are everybody's who belongs to an organization, and nobody's to change", async () => {
  const { robin } = await sharing();
  const [official] = (await robin.get("/v3/recipes?source=official")).json<{ results: Recipe[] }>().results;
  expect(official).toMatchObject({ right: null, actions: ["start", "duplicate"], share: null });
  const share = await robin.post(`/v1/recipes/${official?.uuid}/share`, {
    organizations: [robin.user.organization_uuid],
  });
  expect(outcomeOf(share)).toBe("403 RECIPE_SHARE_NOT_ALLOWED");
});

it("somebody of another organization may duplicate what is made of official parts alone", async () => {
  const { robin, otto, db, recipe, share } = await sharing();
  const [official] = (await robin.get("/v3/recipes?source=official")).json<{ results: Recipe[] }>().results;
  await share(otto);
  const parts = {
    hardware_profile_uuid: official?.hardware_profile?.uuid ?? null,
    os_image_uuid: official?.os_image?.uuid ?? null,
  };
  await db.updateTable("recipes").set(parts).where("uuid", "=", recipe).execute();
  expect((await otto.get(`/v2/recipes/${recipe}`)).json<Recipe>().actions).toContain("duplicate");
});

describe("a collaborator of another organization", () => {
  it("can give a recipe official parts, not those of either organization", async () => {
    const { otto, robin, db, recipe, share } = await sharing();
    await share(otto);
    const put = async (body: object) => outcomeOf(await otto.put(`/v2/recipes/${recipe}`, body));
    for (const owner of [otto.user, robin.user]) {
      const [profile, image] = [await aCustom(db, "hardware_profiles", owner), await aCustom(db, "os_images", owner)];
      expect(await put({ hardware_profile_uuid: profile })).toBe("404 HARDWARE_PROFILE_NOT_FOUND");
      expect(await put({ os_image_uuid: image })).toBe("404 OS_IMAGE_NOT_FOUND");
    }
    const [official] = (await otto.get("/v1/hardware-profiles?source=official")).json<{ results: { uuid: string }[] }>()
      .results;
    // The image, which they could not choose, stays.
    expect(await put({ hardware_profile_uuid: official?.uuid, description: "green" })).toBe("200");
    expect((await robin.get(`/v2/recipes/${recipe}`)).json()).toMatchObject({
      description: "green",
      hardware_profile: { uuid: official?.uuid },
      os_image: { name: "Robin's image" },
    });
  });

  it("is read in the log of the recipe's organization", async () => {
    const { otto, own, recipe, share, db, gil } = await sharing();
    const { uuid } = await share(otto);
    await otto.put(`/v2/recipes/${recipe}`, { name: "Moss" });
    await otto.put(`/v1/shares/${uuid}`, { recipients: { users: [otto.user.uuid, gil.user.uuid] } });
    const records = await db
      .selectFrom("audit_records")
      .select(["action", "organization_uuid"])
      .where("actor_uuid", "=", otto.user.uuid)
      .where("subject_uuid", "=", recipe)
      .orderBy("id")
      .execute();
    expect(records).toEqual([
      { action: "recipe.edit", organization_uuid: own },
      { action: "recipe.share", organization_uuid: own },
    ]);
  });
});

describe("a change that waits for the end of a collaborator's rights", () => {
  const edit: Attempt = ({ recipe }, person) => person.put(`/v2/recipes/${recipe}`, { name: "Moss" });
  const share: Attempt = ({ shareAs, gil }, person) => shareAs(person, { recipients: { users: [gil.user.uuid] } });
  const change: Attempt = (_, person, uuid) => person.put(`/v1/shares/${uuid}`, { message: "Hello" });

  it.each([
    ["a share by a stranger", "otto", share, "404 RECIPE_NOT_FOUND"],
    ["a change of the share by a stranger", "otto", change, "404 SHARE_NOT_FOUND"],
    ["an edit by a colleague", "kim", edit, refused],
    ["a change of the share by a colleague", "kim", change, "403 RECIPE_SHARE_NOT_ALLOWED"],
  ] as const)("is refused: %s", async (_, who, attempt, refusal) => {
    const test = await sharing();
    const { db, recipe, robin, kim, oona, otto, people } = test;
    const { uuid } = await test.share(kim, oona, otto);
    let answer: ReturnType<Attempt> | undefined;
    await db.transaction().execute(async (trx) => {
      // As whoever ends them does it: the recipe first.
      await trx.selectFrom("recipes").select("uuid").where("uuid", "=", recipe).forUpdate().execute();
      await trx.deleteFrom("share_recipients").where("user_uuid", "=", people[who].user.uuid).execute();
      answer = attempt(test, people[who], uuid);
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    });
    expect(outcomeOf((await answer)!)).toBe(refusal);
    expect((await robin.get(`/v2/recipes/${recipe}`)).json()).toMatchObject({ name: "Fern", share: { message: "" } });
  });
});
