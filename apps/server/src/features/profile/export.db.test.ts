import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { heldLists } from "../../database/held.ts";
import { createTestApp } from "../../testing/app.ts";
import { createTestDatabase } from "../../testing/database.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { exportsOfUser } from "./export.ts";
import { pageOf } from "./export.store.ts";

/** The account itself comes before the lists. */
const notListed = ["users"];

interface Export {
  account: { email: string; front_preferences: object; last_sign_in_at?: string };
  [list: string]: unknown;
}

describe("GET /v1/users/:uuid/export", () => {
  it("gives everything that is held on a person, and no secrets", async () => {
    const { as, db } = await createTestApp();
    const organization = await anOrganization(db);
    const [robin, kim] = [await as({ organization }), await as({ organization, role: "manager" })];
    const { uuid, email } = robin.user;
    const made = (await robin.post("/v1/api-tokens", { description: "ci" })).json<{ token: string; uuid: string }>();
    await robin.put(`/v2/users/${uuid}`, { front_preferences: { a: 1 }, first_name: "Rowan" });
    const own = await aCustom(db, "recipes", robin.user);
    const kims = await aCustom(db, "recipes", kim.user);
    const device = (await robin.start()).json<{ uuid: string }>();
    await kim.start();
    await kim.post(`/v1/recipes/${kims}/share`, { recipients: { users: [uuid] }, message: "For you" });
    const answer = await robin.get(`/v1/users/${uuid}/export`);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="terrarium-2026-03-02\.json"/);
    const held = JSON.parse(answer.body) as Export;
    expect(held).toMatchObject({
      account: { email, first_name: "Rowan", front_preferences: { a: 1 } },
      sessions: [{ ended_at: null }],
      api_tokens: [{ description: "ci", uuid: made.uuid }],
      recipes: [{ uuid: own }],
      devices: [{ uuid: device.uuid, history: [{ event: "ask", state: "CREATING" }] }],
      shares_given: [],
      shares_received: [{ recipe: kims, message: "For you" }],
    });
    expect(held.account.last_sign_in_at).toBe("2026-03-02T09:00:00.000Z");
    expect(JSON.stringify(held.audit)).toContain("api_token.create");
    expect(JSON.stringify(held.audit)).not.toContain(kim.user.uuid);
    expect(answer.body).not.toContain(made.token);
    expect(answer.body).not.toMatch(/argon2|password_hash|token_hash/);
  });

  it("lists the mails without their texts, whose links give access", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    await robin.put("/v1/users/password", { old_password: robin.user.password, new_password: "a better horse 2" });
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json<Export>();
    expect(held.mails).toMatchObject([{ to: robin.user.email, subject: "Your Terrarium password was changed" }]);
    expect(JSON.stringify(held.mails)).not.toContain("password-reset");
  });

  it("reads every table with a column that names a person", async () => {
    const { db } = await createTestApp();
    const { rows } = await sql<{ name: string }>`
      SELECT DISTINCT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name IN ('user_uuid', 'owner_uuid', 'email', 'to_address')`.execute(db);
    const person = { uuid: "1f0c5e5e-0000-4000-8000-000000000000", email: "robin@fernworks.test" };
    const queries = Object.values(heldLists).map((rowsOf) => rowsOf(person).compile(db).sql);
    const isRead = (name: string) => queries.some((query) => new RegExp(`(FROM|JOIN) ${name}\\b`).test(query));
    expect(rows.map(({ name }) => name).filter((name) => !isRead(name))).toEqual(notListed);
  });

  it("gives nothing of anybody else", async () => {
    const { db } = await createTestDatabase();
    const kim = { uuid: randomUUID(), email: "kim@fernworks.test" };
    await db.connection().execute(async (one) => {
      // In place of each table one with a single row, in which all is Kim's.
      await sql`DO $$ DECLARE name text; BEGIN
        FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
          EXECUTE format('CREATE TEMP TABLE %I (LIKE public.%1$I)', name);
          EXECUTE (SELECT format('INSERT INTO pg_temp.%I VALUES (%s)', name, string_agg(quote_literal(CASE data_type
              WHEN 'uuid' THEN ${sql.lit(kim.uuid)} WHEN 'text' THEN ${sql.lit(kim.email)} WHEN 'bytea' THEN 'x'
              WHEN 'boolean' THEN 'true' WHEN 'timestamp with time zone' THEN 'now' WHEN 'date' THEN 'now'
              WHEN 'jsonb' THEN '{}' WHEN 'ARRAY' THEN '{}' ELSE '1' END), ',' ORDER BY ordinal_position))
            FROM information_schema.columns WHERE table_schema = 'public' AND table_name = name);
        END LOOP; END $$`.execute(one);
      for (const [list, rowsOf] of Object.entries(heldLists)) {
        const countOf = async (person: typeof kim) => (await rowsOf(person).execute(one)).rows.length;
        const stranger = { uuid: randomUUID(), email: "robin@fernworks.test" };
        expect([list, await countOf(kim), await countOf(stranger)]).toEqual([list, 1, 0]);
      }
      await sql`UPDATE captures SET is_whole = false`.execute(one);
      expect((await heldLists["captures"]!(kim).execute(one)).rows).toEqual([]);
    });
  });

  it("is given to nobody else, not even a manager", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    const manager = await as({ organization: robin.user.organization_uuid ?? "", role: "manager" });
    const answer = await manager.get(`/v1/users/${robin.user.uuid}/export`);
    expect([answer.statusCode, answer.json().code]).toEqual([403, "FORBIDDEN"]);
  });

  it("tells the addresses of their own acts alone", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    await sql`INSERT INTO audit_records (at, action, outcome, actor_kind, actor_uuid, subject_uuid, address, details)
      VALUES (now(), 'user.rename', 'done', 'user', gen_random_uuid(), ${robin.user.uuid}, '192.0.2.9', '{}'),
        (now(), 'user.rename', 'done', 'user', ${robin.user.uuid}, gen_random_uuid(), '192.0.2.7', '{}')`.execute(db);
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json<{ audit: Record<string, unknown>[] }>();
    const renamed = held.audit.filter(({ action }) => action === "user.rename");
    expect(new Set(renamed.map(({ address }) => address))).toEqual(new Set([null, "192.0.2.7"]));
  });

  it("reads the audit log by its indexes, however long it is", async () => {
    const { as, db } = await createTestApp();
    const { user } = await as();
    await sql`INSERT INTO audit_records (at, action, outcome, actor_kind, actor_uuid, subject_uuid, details)
      SELECT now(), 'user.rename', 'done', 'user', gen_random_uuid(), gen_random_uuid(), '{}'
      FROM generate_series(1, 20000)`.execute(db);
    await sql`ANALYZE audit_records`.execute(db);
    for (const after of [undefined, "100"]) {
      const { rows } = await sql`EXPLAIN ${pageOf(heldLists["audit"]!(user), after)}`.execute(db);
      const plan = JSON.stringify(rows);
      expect(plan).toContain("audit_records_actor");
      expect(plan).toContain("audit_records_subject");
      expect(plan).not.toMatch(/Seq Scan|audit_records_pkey/);
    }
  });

  it("is whole beyond one page of rows", async () => {
    const { as, db, audit } = await createTestApp();
    const robin = await as();
    const by = { kind: "user", user: robin.user.uuid } as const;
    await audit.record(db, by, ...Array.from({ length: 1203 }, () => ({ action: "user.rename" }) as const));
    const held = (await robin.get(`/v1/users/${robin.user.uuid}/export`)).json<{ audit: { action: string }[] }>();
    expect(held.audit.filter(({ action }) => action === "user.rename")).toHaveLength(1203);
  });

  it.each([
    ["devices", "API_TOKEN_NOT_SCOPED"],
    // It tells where its owner signs in.
    ["admin", "FORBIDDEN"],
  ])("is given to no API token, with %s", async (scope, code) => {
    const { as, call } = await createTestApp();
    const robin = await as();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope })).json();
    const answer = await call("GET", `/v1/users/${robin.user.uuid}/export`, { headers: { "x-api-token": token } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, code]);
  });

  it("is given five times an hour", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    const ask = async () => (await robin.get(`/v1/users/${robin.user.uuid}/export`)).statusCode;
    for (let times = 0; times < exportsOfUser.max; times++) expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
  });
});
