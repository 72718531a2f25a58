import { describe, expect, it } from "vitest";
import { sql } from "kysely";
import { createTestApp } from "../../testing/app.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { aGroup, aUser, anOrganization } from "../../testing/factories.ts";
import { openDemo } from "../demo/demo.ts";
import { addOrganization } from "../organizations/add-organization.ts";
import { addUser } from "../users/add-user.ts";
import { createUser } from "../users/create-user.ts";
import { joinGroupsLate } from "./groups.jobs.ts";
import { groupMigrations } from "./groups.migrations.ts";

describe("the default group", () => {
  it("comes with an organization, and is joined by everybody whom the operator adds", async () => {
    const { db, operator } = await createTestApp();
    const add = (email: string) =>
      addUser(operator, { email, password: "correct horse 1", organization: "Mossworks", manager: false });
    const uuids = [await add("one@moss.test"), await add("two@moss.test")];
    const groups = await db.selectFrom("groups").selectAll().execute();
    expect(groups).toMatchObject([
      { name: "Default group", is_default: true, parent_uuid: null, group_allocation: null },
    ]);
    const members = await db.selectFrom("group_users").select("user_uuid").execute();
    expect(members.map(({ user_uuid }) => user_uuid).toSorted()).toEqual(uuids.toSorted());
  });

  it("is joined by new accounts of an organization, and no guest", async () => {
    const { db } = await createTestApp();
    const [uuid, created_at] = [crypto.randomUUID(), new Date()];
    for (let twice = 0; twice < 2; twice++) await addOrganization(db, { uuid, name: "Mossworks", created_at });
    const create = (email: string, organization_uuid: string | null) =>
      createUser(db, { email, organization_uuid, password_hash: null, created_at });
    await aGroup(db, uuid, { name: "QA" });
    expect((await create("guest@moss.test", null)).groups).toEqual([]);
    expect((await create("one@moss.test", uuid)).groups).toMatchObject([{ name: "Default group" }]);
    const joined = await db.selectFrom("users").select("email").where("has_joined_groups", "=", true).execute();
    expect(joined).toEqual([{ email: "one@moss.test" }]);
  });

  it.each(["nobody has", "a guest has", "somebody registered and never confirmed"])(
    "is joined by who accepts an invitation to an address that %s",
    async (who) => {
      const { db, as, call } = await createTestApp();
      const manager = await as({ role: "manager" });
      const group = await aGroup(db, manager.user.organization_uuid ?? "", { name: "Newcomers", is_default: true });
      const email = "new@fernworks.test";
      const fields = { email, is_validated: who === "a guest has" };
      const known = who === "nobody has" ? undefined : await aUser(db, { role: "guest", fields });
      await manager.post("/v1/accounts/invites", { emails: [email] });
      const { rows } = await sql<{ text: string }>`SELECT text FROM mails`.execute(db);
      const key = /\/join\/([\w-]{43})/.exec(rows[0]?.text ?? "")?.[1] ?? "";
      const body = { password: known?.password ?? "a better horse 2", tnc_accepted: true };
      const joined = await call("POST", `/v2/accounts/invites/${key}`, { body });
      expect([joined.statusCode, joined.json().user.groups]).toEqual([200, [{ uuid: group, name: "Newcomers" }]]);
    },
  );

  it("is joined by the people of the demonstration, but not by its guest", async () => {
    const test = await createTestApp();
    await openDemo(test, { isLocal: true });
    const members = await test.db
      .selectFrom("group_users")
      .innerJoin("users", "users.uuid", "user_uuid")
      .select("email")
      .orderBy("email")
      .execute();
    expect(members.map(({ email }) => email)).toEqual(["manager@demo.test", "user@demo.test"]);
  });

  it("is given to an organization and to members whom a server from before groups adds, and to nobody whom a manager removed", async () => {
    const test = await createTestApp();
    const { db, as, audited } = test;
    const organization = await anOrganization(db);
    const manager = await as({ organization, role: "manager" });
    const guest = await as({ role: "guest" });
    await joinGroupsLate.run(test);
    const [group] = (await manager.get("/v1/groups")).json();
    expect(group).toMatchObject({ name: "Default group", is_default: true, user_count: 1 });
    expect(await audited()).toContainEqual(
      expect.objectContaining({
        action: "group.add_user",
        actor: "service",
        subject: manager.user.email,
        details: { group: group.uuid },
      }),
    );

    const [kim, robin] = [await as({ organization }), await as({ organization })];
    const quality = (await manager.post("/v1/groups", { name: "QA" })).json();
    await manager.post(`/v1/groups/${quality.uuid}/users`, { user_uuids: [robin.user.uuid] });
    // An invitation that such a server has accepted.
    await db
      .updateTable("users")
      .set({ organization_uuid: organization })
      .where("uuid", "=", guest.user.uuid)
      .execute();
    await joinGroupsLate.run(test);
    await manager.delete(`/v1/groups/${group.uuid}/users`, { user_uuids: [kim.user.uuid] });
    await joinGroupsLate.run(test);
    const rows = await db.selectFrom("group_users").selectAll().execute();
    const pairs = new Set(rows.map(({ group_uuid, user_uuid }) => `${group_uuid} ${user_uuid}`));
    const wanted = [
      [group, manager],
      [group, guest],
      [quality, robin],
    ] as const;
    expect(pairs).toEqual(new Set(wanted.map(([{ uuid }, { user }]) => `${uuid} ${user.uuid}`)));
  });

  it("was joined by whoever was in a group, or removed from one, before that was noted", async () => {
    const { db, as } = await createTestApp();
    const organization = await anOrganization(db);
    const manager = await as({ organization, role: "manager" });
    const [kim, robin] = [await as({ organization }), await as({ organization })];
    const group = await aGroup(db, organization, { is_default: true, people: [kim, robin] });
    await manager.delete(`/v1/groups/${group}/users`, { user_uuids: [robin.user.uuid] });
    await sql`ALTER TABLE users DROP COLUMN has_joined_groups`.execute(db);
    await groupMigrations["0086-joined-groups"]?.(db);
    const late = await db.selectFrom("users").select("uuid").where("has_joined_groups", "=", false).execute();
    expect(late).toEqual([{ uuid: manager.user.uuid }]);
  });

  it("is given to organizations that were there before groups, with all their members", async () => {
    const { db } = await createTestDatabase();
    await sql`DROP TABLE group_users, groups CASCADE`.execute(db);
    await sql`DROP FUNCTION notify_groups_changed, notify_group_users_changed`.execute(db);
    const [organization, other] = [await anOrganization(db), await anOrganization(db)];
    const one = await aUser(db, { organization });
    await aUser(db, { role: "guest" });
    await groupMigrations["0068-groups"]?.(db);
    const rows = await db
      .selectFrom("groups")
      .leftJoin("group_users", "group_users.group_uuid", "groups.uuid")
      .select(["organization_uuid", "is_default", "user_uuid"])
      .execute();
    expect(rows).toHaveLength(2);
    expect(rows).toContainEqual({ organization_uuid: organization, is_default: true, user_uuid: one.uuid });
    expect(rows).toContainEqual({ organization_uuid: other, is_default: true, user_uuid: null });
  });
});
