import { limits, type Recipe, type Share } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { secretFor } from "../../platform/secrets.ts";
import { aCustom } from "../../testing/factories.ts";
import { outcomeOf, sharing } from "../../testing/sharing.ts";
import { lookUpsOfUser } from "../users/look-up.ts";
import { invitationsOfPerson, invitationsOfUser } from "./find-recipients.ts";

const unknown = "9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11";
const named = (share: Share) => share.recipients.users.map(({ email }) => email);

describe("POST /v1/recipes/:uuid/share", () => {
  it("shares a recipe with colleagues, guests and organizations, by uuid or address", async () => {
    const { robin, kim, gil, recipe, shareAs, other, audited } = await sharing();
    const answer = await shareAs(robin, {
      recipients: { users: [kim.user.uuid, " GIL@gils.test "] },
      organizations: [other],
      message: " Try this.\n\nIt is new. ",
    });
    const share = {
      uuid: expect.any(String),
      recipe_uuid: recipe,
      recipients: {
        users: [
          // A guest is a stranger: nothing but the address by which they were found.
          { uuid: gil.user.uuid, email: "gil@gils.test", first_name: "", last_name: "" },
          { uuid: kim.user.uuid, email: "kim@kims.test", first_name: "kim", last_name: "Reed" },
        ],
      },
      organizations: [{ uuid: other, name: "Mossworks" }],
      message: "Try this.\n\nIt is new.",
      shared_by: { uuid: robin.user.uuid, email: "robin@robins.test", first_name: "robin", last_name: "Reed" },
      created_at: "2026-03-02T09:00:00.000Z",
      updated_at: "2026-03-02T09:00:00.000Z",
    };
    expect([answer.statusCode, answer.json()]).toEqual([201, share]);
    expect((await robin.get(`/v1/shares/${answer.json<Share>().uuid}`)).json()).toEqual(answer.json());
    const { uuid, shared_by, message, created_at } = answer.json<Share>();
    expect((await gil.get(`/v2/recipes/${recipe}`)).json<Recipe>().share).toEqual({
      uuid,
      shared_by,
      message,
      created_at,
    });
    expect(await audited()).toContainEqual(
      expect.objectContaining({
        action: "recipe.share",
        subject: `recipe ${recipe}`,
        details: { users: `${gil.user.uuid} ${kim.user.uuid}`, organizations: other },
      }),
    );
  });

  it("adds to those with whom it is shared already", async () => {
    const { robin, kim, gil, otto, share, shareAs } = await sharing();
    const first = await share(kim);
    const second = (await shareAs(robin, { recipients: { users: ["gil@gils.test", kim.user.uuid] } })).json<Share>();
    expect([second.uuid, named(second)]).toEqual([first.uuid, ["gil@gils.test", "kim@kims.test"]]);
    // Both of two calls at once count, also when the recipe was not shared before.
    await robin.delete(`/v1/shares/${first.uuid}`);
    await Promise.all([share(gil), share(otto), share(kim)]);
    const { share: now } = (await gil.get("/v3/recipes")).json<{ results: Recipe[] }>().results[0]!;
    expect(named((await robin.get(`/v1/shares/${now?.uuid}`)).json())).toEqual([
      "gil@gils.test",
      "kim@kims.test",
      "otto@ottos.test",
    ]);
  });

  it.each([
    ["nobody", {}, "recipients.users"],
    ["an empty list", { recipients: { users: [] }, organizations: [] }, "recipients.users"],
    ["what is no address", { recipients: { users: ["fern"] } }, "recipients.users.0"],
    [
      "more than 50 people",
      { recipients: { users: Array.from({ length: 51 }, () => randomUUID()) } },
      "recipients.users",
    ],
    ["a long message", { organizations: [unknown], message: "x".repeat(limits.shareMessageLength + 1) }, "message"],
    ["a message with NUL", { organizations: [unknown], message: "a\0b" }, "message"],
  ])("refuses %s", async (_, body, field) => {
    const { robin, shareAs, db } = await sharing();
    const answer = await shareAs(robin, body);
    expect([answer.statusCode, answer.json().fields[0].field]).toEqual([400, field]);
    expect(await db.selectFrom("shares").select("uuid").execute()).toEqual([]);
  });

  it("names everybody who is unknown, and shares with nobody then", async () => {
    const { robin, kim, db, shareAs, mails } = await sharing();
    await db.updateTable("users").set({ is_enabled: false }).where("email", "=", "gil@gils.test").execute();
    const users = ["gil@gils.test", "nobody@fern.test", kim.user.uuid, unknown, "otto@ottos.test"];
    const answer = await shareAs(robin, { recipients: { users } });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      {
        code: "RECIPIENTS_NOT_FOUND",
        message: "Some emails weren't found in the organization.",
        details: { unknown: `gil@gils.test, nobody@fern.test, ${unknown}, otto@ottos.test` },
      },
    ]);
    const organizations = await shareAs(robin, { organizations: [unknown] });
    expect(organizations.json()).toMatchObject({ code: "ORGANIZATION_NOT_FOUND", details: { unknown } });
    expect([await db.selectFrom("shares").select("uuid").execute(), await mails()]).toEqual([[], []]);
  });

  it("shares with at most 50 people and 20 organizations, however often it is called", async () => {
    const { robin, shareAs, db, own } = await sharing();
    const add = (count: number) =>
      db
        .insertInto("users")
        .values(
          Array.from({ length: count }, () => {
            const uuid = randomUUID();
            return {
              uuid,
              email: `${uuid}@robins.test`,
              password_hash: null,
              organization_uuid: own,
              is_validated: true,
              created_at: new Date(0),
            };
          }),
        )
        .returning("uuid")
        .execute();
    const [most, more] = [await add(50), await add(1)];
    const share = async (rows: { uuid: string }[]) =>
      outcomeOf(await shareAs(robin, { recipients: { users: rows.map(({ uuid }) => uuid) } }));
    expect(await share(most)).toBe("201");
    expect(await share(more)).toBe("400 TOO_MANY_RECIPIENTS");
  });

  it("is limited: addresses outside the organization, and invitations, of a user and hour", async () => {
    const { robin, kim, gil, db, clock, shareAs } = await sharing();
    const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
    await limiter.take(lookUpsOfUser, robin.user.uuid, lookUpsOfUser.max - 1);
    const share = async (...users: string[]) => outcomeOf(await shareAs(robin, { recipients: { users } }));
    expect(await share("gil@gils.test", "kim@kims.test")).toBe("201");
    expect(await share("gil@gils.test")).toBe("429 TOO_MANY_REQUESTS");
    expect(await share("kim@kims.test")).toBe("201");
    expect(outcomeOf(await kim.get("/v2/users?field=email&users=gil@gils.test"))).toBe("200");
    expect(outcomeOf(await robin.get("/v2/users?field=email&users=gil@gils.test"))).toBe("429 TOO_MANY_REQUESTS");
    await clock.advance(lookUpsOfUser.windowMs);
    await limiter.take(invitationsOfUser, robin.user.uuid, invitationsOfUser.max - 1);
    expect(await share(gil.user.uuid, kim.user.uuid, robin.user.uuid)).toBe("201");
    expect(await share("manager@managers.test")).toBe("429 TOO_MANY_REQUESTS");
  });

  it("is limited for each person, whose mailbox it fills", async () => {
    const { robin, gil, kim, manager, db, clock, shareAs } = await sharing();
    const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
    await limiter.take(invitationsOfPerson, `${robin.user.uuid} ${gil.user.uuid}`, invitationsOfPerson.max);
    const shareWith = async (whoever: typeof robin, { user }: { user: { uuid: string } }) =>
      outcomeOf(await shareAs(whoever, { recipients: { users: [user.uuid] } }));
    expect(await shareWith(robin, gil)).toBe("429 TOO_MANY_REQUESTS");
    expect(await shareWith(robin, kim)).toBe("201");
    expect(await shareWith(manager, gil)).toBe("201");
  });
});

describe("PUT /v1/shares/:uuid", () => {
  it("replaces the recipients and the message; what is left out stays", async () => {
    const { robin, kim, gil, own, share, audited, recipe } = await sharing();
    const { uuid } = await share(kim, gil);
    const put = async (body: object) => (await robin.put(`/v1/shares/${uuid}`, body)).json<Share>();
    expect(await put({ message: "Hello" })).toMatchObject({ message: "Hello", recipients: { users: [{}, {}] } });
    expect(named(await put({ recipients: { users: [kim.user.uuid] } }))).toEqual(["kim@kims.test"]);
    const swapped = await put({ recipients: { users: [] }, organizations: [own] });
    expect([swapped.message, named(swapped), swapped.organizations]).toEqual([
      "Hello",
      [],
      [{ uuid: own, name: "Fernworks" }],
    ]);
    expect((await audited()).filter(({ action }) => action === "recipe.unshare")).toEqual([
      expect.objectContaining({ subject: `recipe ${recipe}`, details: { users: gil.user.uuid, organizations: "" } }),
      expect.objectContaining({ subject: `recipe ${recipe}`, details: { users: kim.user.uuid, organizations: "" } }),
    ]);
  });

  it("changes the recipe only if it changes with whom it is shared, or the message", async () => {
    const { robin, kim, gil, db, recipe, share, shareAs } = await sharing();
    const { uuid } = await share(kim, gil);
    const revision = async () => (await robin.get(`/v2/recipes/${recipe}`)).json<Recipe>().revision;
    const put = async (body: object) => {
      await robin.put(`/v1/shares/${uuid}`, body);
      return revision();
    };
    const shared = await revision();
    const both = { recipients: { users: [gil.user.uuid, kim.user.uuid] } };
    expect([await put({}), await put(both), await put({ ...both, message: "" })]).toEqual([shared, shared, shared]);
    await shareAs(robin, both);
    expect(await revision()).toBe(shared);
    // Whoever has it open to edit can still save it.
    expect(outcomeOf(await robin.put(`/v2/recipes/${recipe}`, { name: "Moss", revision: shared }))).toBe("200");
    expect(await put({ message: "Hello" })).toBe(shared + 2);
    expect(await put({ recipients: { users: [gil.user.uuid] } })).toBe(shared + 3);
    // With the last recipient's account nobody is left, but the share ends only now.
    await db.deleteFrom("share_recipients").where("recipe_uuid", "=", recipe).execute();
    expect(await put({ recipients: { users: [] } })).toBe(shared + 4);
  });

  it("keeps nobody from saving what they edit, and lets nobody overwrite an edit", async () => {
    const { robin, gil, kim, recipe, share } = await sharing();
    const path = `/v2/recipes/${recipe}`;
    const opened = (await robin.get(path)).json<Recipe>().revision;
    const { uuid } = await share(gil, kim);
    await robin.put(`/v1/shares/${uuid}`, { recipients: { users: [kim.user.uuid] } });
    const { revision } = (await robin.get(path)).json<Recipe>();
    expect(revision).toBeGreaterThan(opened);
    expect(outcomeOf(await robin.put(path, { name: "Moss", revision: revision + 1 }))).toBe("409 RECIPE_CHANGED");
    expect(outcomeOf(await robin.put(path, { name: "Moss", revision: opened }))).toBe("200");
    await robin.delete(`/v1/shares/${uuid}`);
    for (const seen of [opened, revision])
      expect(outcomeOf(await robin.put(path, { name: "Fern", revision: seen }))).toBe("409 RECIPE_CHANGED");
    expect(outcomeOf(await robin.put(path, { name: "Fern", revision: revision + 1 }))).toBe("200");
  });

  it("keeps a recipient who can no longer sign in, and refuses one who is unknown", async () => {
    const { robin, gil, kim, db, share } = await sharing();
    const { uuid } = await share(gil);
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", gil.user.uuid).execute();
    const put = async (...users: string[]) =>
      outcomeOf(await robin.put(`/v1/shares/${uuid}`, { recipients: { users } }));
    expect(await put(gil.user.uuid, kim.user.uuid)).toBe("200");
    expect(await put(unknown)).toBe("404 RECIPIENTS_NOT_FOUND");
    expect(named((await robin.get(`/v1/shares/${uuid}`)).json())).toEqual(["gil@gils.test", "kim@kims.test"]);
  });

  it("ends the share with nobody left", async () => {
    const { robin, gil, recipe, share } = await sharing();
    const { uuid } = await share(gil);
    const ended = await robin.put(`/v1/shares/${uuid}`, { recipients: { users: [] } });
    expect([ended.statusCode, ended.json()]).toMatchObject([
      200,
      { uuid, recipients: { users: [] }, organizations: [] },
    ]);
    expect(outcomeOf(await robin.get(`/v1/shares/${uuid}`))).toBe("404 SHARE_NOT_FOUND");
    expect((await robin.get(`/v2/recipes/${recipe}`)).json<Recipe>().share).toBeNull();
  });

  it("and an end of it at the same time leave either nothing or what was put", async () => {
    const { robin, gil, kim, db, share } = await sharing();
    const { uuid } = await share(gil);
    const answers = await Promise.all([
      robin.put(`/v1/shares/${uuid}`, { recipients: { users: [kim.user.uuid] } }),
      robin.put(`/v1/shares/${uuid}`, { recipients: { users: [robin.user.uuid] } }),
      robin.delete(`/v1/shares/${uuid}`),
      robin.delete(`/v1/shares/${uuid}`),
    ]);
    const outcomes = answers.map(outcomeOf);
    expect(outcomes.filter((outcome) => outcome === "204")).toHaveLength(1);
    for (const outcome of outcomes) expect(["200", "204", "404 SHARE_NOT_FOUND"]).toContain(outcome);
    expect(await db.selectFrom("share_recipients").selectAll().execute()).toEqual([]);
  });
});

describe("the end of a share", () => {
  it("takes the recipe from its recipients at once, and their devices run on", async () => {
    const { robin, gil, otto, recipe, share, startAs } = await sharing();
    const { uuid } = await share(gil, otto);
    const device = (await startAs(gil)).json<{ uuid: string }>().uuid;
    expect(outcomeOf(await robin.delete(`/v1/shares/${uuid}`))).toBe("204");
    for (const person of [gil, otto]) {
      expect(outcomeOf(await person.get(`/v2/recipes/${recipe}`))).toBe("404 RECIPE_NOT_FOUND");
      expect(outcomeOf(await startAs(person, "two"))).toBe("404 RECIPE_NOT_FOUND");
      expect((await person.get("/v3/recipes?source=shared")).json().count).toBe(0);
    }
    expect((await gil.post("/v1/instances/access-token", { instance_uuid: device })).statusCode).toBe(200);
    expect((await gil.post(`/v1/instances/${device}/stop-disposable`)).json().state).toBe("STOPPING");
    expect(outcomeOf(await robin.delete(`/v1/shares/${uuid}`))).toBe("404 SHARE_NOT_FOUND");
  });

  it("comes with the end of the recipe, of a recipient's account, and of an organization", async () => {
    const { robin, gil, otto, db, share, shareAs, recipe, other } = await sharing();
    await share(gil, otto);
    await shareAs(robin, { organizations: [other] });
    const count = async () => (await db.selectFrom("share_recipients").selectAll().execute()).length;
    expect(await count()).toBe(3);
    await db.deleteFrom("sessions").where("user_uuid", "=", gil.user.uuid).execute();
    await db.deleteFrom("users").where("uuid", "=", gil.user.uuid).execute();
    expect(await count()).toBe(2);
    expect(outcomeOf(await robin.delete(`/v1/recipes/${recipe}`))).toBe("204");
    expect([await count(), await db.selectFrom("shares").selectAll().execute()]).toEqual([0, []]);
  });
});

describe("what is shared", () => {
  it("shows its parts, and nothing else of the other organization", async () => {
    const { db, robin, gil, otto, oona, recipe, parts, share, shareAs, other } = await sharing();
    await share(gil, otto);
    await shareAs(robin, { organizations: [other] });
    await aCustom(db, "recipes", robin.user, { name: "Private", ...parts });
    for (const person of [gil, otto, oona]) {
      const [listed] = (await person.get("/v3/recipes?source=shared")).json<{ results: Recipe[] }>().results;
      expect(listed).toMatchObject({
        uuid: recipe,
        owner: { email: "robin@robins.test" },
        hardware_profile: { name: "Robin's phone", owner: null, recipe_count: 1 },
        os_image: { name: "Robin's image", owner: null, recipe_count: 1 },
      });
      expect((await person.get(`/v2/recipes/${recipe}`)).json()).toEqual(listed);
      expect((await person.get(`/v1/recipes/${recipe}/hardware-profile`)).json()).toEqual(listed?.hardware_profile);
      expect((await person.get(`/v1/recipes/${recipe}/os-image`)).json()).toEqual(listed?.os_image);
      expect((await person.get("/v3/recipes?source=custom")).json().count).toBe(1);
      expect((await person.get(`/v3/recipes?search=Private`)).json().count).toBe(0);
    }
    for (const path of [`/v1/hardware-profiles/${parts.hardware_profile_uuid}`, `/v1/os-images/${parts.os_image_uuid}`])
      expect((await otto.get(path)).statusCode).toBe(404);
    expect((await otto.get("/v1/hardware-profiles?source=custom")).json().count).toBe(0);
    expect((await otto.get("/v1/os-images?source=custom")).json().count).toBe(0);
    expect((await gil.get("/v1/recipes")).json()).toEqual({ official: [], custom: [{ uuid: recipe, name: "Fern" }] });
    expect((await robin.get(`/v2/recipes/${recipe}`)).json()).toMatchObject({
      hardware_profile: { owner: { uuid: robin.user.uuid }, recipe_count: 2 },
    });
  });
});
