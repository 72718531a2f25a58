import type { User } from "@terrarium/contract";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { anOrganization } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { disableUser, enableUser } from "./manage-user.ts";
import { userMigrations } from "./users.migrations.ts";

/** Two managers and a user of an organization. */
async function people() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const [mara, mo] = [
    await test.as({ organization, role: "manager" }),
    await test.as({ organization, role: "manager" }),
  ];
  const robin = await test.as({ organization });
  const pathOf = ({ user }: { user: { uuid: string } }) => `/v2/users/${user.uuid}`;
  const acts = async () => (await test.audited()).map(({ action }) => action).filter((act) => act.startsWith("user."));
  return { ...test, mara, mo, robin, pathOf, acts };
}
const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [
  statusCode,
  (JSON.parse(body) as { code?: string }).code,
];

describe("a manager", () => {
  it("changes somebody's names, role and status, and each is recorded once", async () => {
    const { mara, robin, pathOf, acts } = await people();
    const change = { first_name: "Rowan", last_name: "Ash", is_organization_manager: true, is_enabled: false };
    const answer = await mara.put(pathOf(robin), change);
    expect([answer.statusCode, answer.json<User>()]).toEqual([200, expect.objectContaining(change)]);
    const first = await acts();
    expect(first.toSorted()).toEqual(["user.disable", "user.rename", "user.set_role"]);
    expect((await mara.put(pathOf(robin), change)).statusCode).toBe(200);
    expect(await acts()).toEqual(first);
  });

  it("signs out whom they disable, and lets them in again", async () => {
    const { mara, robin, pathOf, call } = await people();
    const signIn = async () => {
      const { email, password } = robin.user;
      return codeOf(await call("POST", "/v1/users/login", { body: { email, password } }));
    };
    expect((await mara.put(pathOf(robin), { is_enabled: false })).statusCode).toBe(200);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    expect(await signIn()).toEqual([403, "USER_NOT_ENABLED"]);
    await mara.put(pathOf(robin), { is_enabled: true });
    expect(await signIn()).toEqual([200, undefined]);
  });

  it("does not let in whom the operator has disabled, also when they disable them as well", async () => {
    const { mara, robin, pathOf, operator, acts } = await people();
    await disableUser(operator, robin.user.email);
    const before = await acts();
    for (const change of [{ is_enabled: true }, { is_enabled: true, first_name: "Rowan" }])
      expect(codeOf(await mara.put(pathOf(robin), change))).toEqual([409, "DISABLED_BY_OPERATOR"]);
    expect((await mara.put(pathOf(robin), { is_enabled: false })).statusCode).toBe(200);
    expect(codeOf(await mara.put(pathOf(robin), { is_enabled: true }))).toEqual([409, "DISABLED_BY_OPERATOR"]);
    expect((await mara.get(pathOf(robin).replace("v2", "v1"))).json()).toMatchObject({
      is_enabled: false,
      first_name: robin.user.first_name,
    });
    expect(await acts()).toEqual(before);
    await enableUser(operator, robin.user.email);
    await mara.put(pathOf(robin), { is_enabled: false });
    expect((await mara.put(pathOf(robin), { is_enabled: true })).json()).toMatchObject({ is_enabled: true });
  });

  it("has no way round it where they were first: what the operator does as well, holds", async () => {
    const { mara, robin, pathOf, operator } = await people();
    await mara.put(pathOf(robin), { is_enabled: false });
    await disableUser(operator, robin.user.email);
    expect(codeOf(await mara.put(pathOf(robin), { is_enabled: true }))).toEqual([409, "DISABLED_BY_OPERATOR"]);
  });

  it("does not let in who was disabled with the demonstration", async () => {
    const { db, mara, robin, pathOf } = await people();
    const fields = { is_enabled: false, disabled_by: "demo" } as const;
    await db.updateTable("users").set(fields).where("uuid", "=", robin.user.uuid).execute();
    expect(codeOf(await mara.put(pathOf(robin), { is_enabled: true }))).toEqual([409, "DISABLED_BY_OPERATOR"]);
  });

  it("has no say in what somebody's web app remembers", async () => {
    const { mara, robin, pathOf } = await people();
    expect(codeOf(await mara.put(pathOf(robin), { front_preferences: {} }))).toEqual([403, "FORBIDDEN"]);
  });

  it("of another organization knows nobody here", async () => {
    const { as, robin, pathOf } = await people();
    const stranger = await as({ role: "manager" });
    expect(codeOf(await stranger.put(pathOf(robin), { is_enabled: false }))).toEqual([404, "USER_NOT_FOUND"]);
  });

  it("must have accepted the terms", async () => {
    const { as, robin, pathOf } = await people();
    const organization = robin.user.organization_uuid ?? "";
    const late = await as({ organization, role: "manager", fields: { tnc_accepted_at: null } });
    expect(codeOf(await late.put(pathOf(robin), { first_name: "Rowan" }))).toEqual([403, "TERMS_NOT_ACCEPTED"]);
  });

  it("needs a token that may administer", async () => {
    const { mara, robin, pathOf, call } = await people();
    const made = await mara.post("/v1/api-tokens", { description: "ci", scope: "devices" });
    const headers = { "x-api-token": made.json<{ token: string }>().token };
    const answer = await call("PUT", pathOf(robin), { headers, body: { is_organization_manager: true } });
    expect(codeOf(answer)).toEqual([403, "API_TOKEN_NOT_SCOPED"]);
  });
});

it.each([
  ["the manager", "mara", "FORBIDDEN"],
  ["the colleague", "robin", "USER_NOT_FOUND"],
] as const)("nothing is changed at the moment in which %s goes to another organization", async (_, who, code) => {
  const test = await people();
  const { db, mara, robin, pathOf } = test;
  const organization_uuid = await anOrganization(db);
  let changing: Promise<{ statusCode: number; body: string }> | undefined;
  await db.transaction().execute(async (trx) => {
    await sql`SELECT FROM organizations WHERE uuid = ${mara.user.organization_uuid} FOR UPDATE`.execute(trx);
    changing = mara.put(pathOf(robin), { first_name: "Rowan" });
    await Promise.race([changing, untilBlocked(db)]);
    await trx.updateTable("users").set({ organization_uuid }).where("uuid", "=", test[who].user.uuid).execute();
  });
  expect(changing && codeOf(await changing)[1]).toBe(code);
  const renamed = db.selectFrom("users").where("first_name", "=", "Rowan").select("uuid");
  expect(await renamed.execute()).toEqual([]);
});

it("a user changes nothing of a colleague, with or without having accepted the terms", async () => {
  const { mara, robin, pathOf, as } = await people();
  const late = await as({ organization: robin.user.organization_uuid ?? "", fields: { tnc_accepted_at: null } });
  expect(codeOf(await late.put(pathOf(mara), { first_name: "Mo" }))).toEqual([403, "FORBIDDEN"]);
  for (const change of [{ first_name: "Mo" }, { is_enabled: false }, { is_organization_manager: false }])
    expect(codeOf(await robin.put(pathOf(mara), change))).toEqual([403, "FORBIDDEN"]);
});

it.each([{ is_organization_manager: false }, { is_enabled: false }])(
  "two managers who take it from each other at once leave one: %j",
  async (change) => {
    const { db, mara, mo, pathOf } = await people();
    let both: Promise<{ statusCode: number; body: string }>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`SELECT FROM organizations WHERE uuid = ${mara.user.organization_uuid} FOR UPDATE`.execute(trx);
      both = [mara.put(pathOf(mo), change), mo.put(pathOf(mara), change)];
      await untilBlocked(db, 2);
    });
    const codes = (await Promise.all(both)).map(codeOf);
    expect(codes).toHaveLength(2);
    expect(codes).toContainEqual([200, undefined]);
    expect(codes).toContainEqual([403, "FORBIDDEN"]);
  },
);

it("who was disabled before that was kept is known by the marks of that time, and by the log", async () => {
  const { db, audit, mara, robin, mo, as, pathOf, operator } = await people();
  const organization = mara.user.organization_uuid ?? "";
  const [kim, ivy, sam] = [await as({ organization }), await as({ organization }), await as({ organization })];
  await disableUser(operator, robin.user.email);
  await disableUser(operator, mo.user.email);
  await enableUser(operator, mo.user.email);
  await mara.put(pathOf(mo), { is_enabled: false });
  const disabled = { is_enabled: false, disabled_by: null };
  for (const { user } of [kim, ivy, sam])
    await db.updateTable("users").set(disabled).where("uuid", "=", user.uuid).execute();
  const by = { kind: "provisioning", organization } as const;
  await transaction(db, (trx) =>
    audit.record(trx, by, { action: "user.disable", subject: { kind: "user", uuid: ivy.user.uuid } }),
  );
  await sql`ALTER TABLE users ADD COLUMN disabled_with_demo boolean NOT NULL DEFAULT false`.execute(db);
  await sql`UPDATE users SET disabled_with_demo = uuid = ${kim.user.uuid}`.execute(db);
  await sql`ALTER TABLE users DROP COLUMN disabled_by`.execute(db);
  await userMigrations["0086-disabled-by-operator"]?.(db);
  await userMigrations["0087-disabled-by"]?.(db);
  const rows = await db.selectFrom("users").select(["uuid", "disabled_by"]).execute();
  const byOf = ({ user }: { user: { uuid: string } }) => rows.find(({ uuid }) => uuid === user.uuid)?.disabled_by;
  expect([robin, mo, kim, ivy, sam, mara].map(byOf)).toEqual(["operator", "manager", "demo", "directory", null, null]);
});
