import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "@terrarium/clock";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { endsWithOrganization } from "../../database/held.ts";
import type { Database } from "../../database/schema.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization } from "../../testing/factories.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { mailSignUpLink } from "../accounts/accounts.jobs.ts";
import { insertLink, insertSignUp } from "../accounts/accounts.store.ts";
import { upsertInvitation } from "../invitations/invitations.store.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { demoAccounts, openDemo } from "../demo/demo.ts";
import { stopAbandonedDevices } from "./profile.jobs.ts";

/** Use and money are accounted for later; people leave before; what has a time of its own ends by that, or with what it refers to. */
const outlastOrganizations =
  "instances runs audit_records subscriptions invoices minute_entries plan_requests users share_recipients sso_flows claim_groups cards".split(
    " ",
  );

const codeOf = ({ statusCode, body }: { statusCode: number; body: string }) => [
  statusCode,
  (JSON.parse(body) as { code?: string }).code,
];
type Options = Parameters<Awaited<ReturnType<typeof createTestApp>>["as"]>[0];

/** Signs up with an address that has an account, and invites it to another organization. */
async function knownElsewhere(db: Database, clock: Clock, email: string): Promise<void> {
  const now = new Date(clock.now());
  const uuid = randomUUID();
  await insertSignUp(db, {
    uuid,
    email,
    password_hash: "x",
    organization_name: null,
    zone: "UTC",
    tnc_accepted_at: now,
    created_at: now,
  });
  await insertLink(db, { key_hash: randomBytes(32), email, sign_up_uuid: uuid, expires_at: now });
  await insertLink(db, { key_hash: randomBytes(32), email, sign_up_uuid: null, expires_at: now });
  // Done, as a worker would run it otherwise.
  await sql`INSERT INTO jobs (name, payload, state, due_at, created_at, ended_at)
    VALUES (${mailSignUpLink.name}, ${JSON.stringify({ email })}, 'done', ${now}, ${now}, ${now})`.execute(db);
  await invite(db, now, { organization_uuid: await anOrganization(db), email });
  await db
    .insertInto("sso_flows")
    .values({
      state_hash: randomBytes(32),
      browser_hash: null,
      provider: "p",
      organization_uuid: null,
      nonce: "n",
      verifier: "v",
      redirect_uri: "https://devices.example",
      route_to: null,
      route_from: null,
      invited_email: email,
      user_uuid: null,
      expires_at: now,
    })
    .execute();
}

/** Invites somebody to an organization, and gives it a provider of its own. */
async function joinable(db: Database, clock: Clock, organization_uuid: string): Promise<void> {
  await invite(db, new Date(clock.now()), { organization_uuid, email: "kim@fernworks.test" });
  await db
    .insertInto("organization_providers")
    .values({
      organization_uuid,
      domain: `${organization_uuid}.test`,
      issuer: "https://id.example",
      client_id: "a",
      sealed_secret: Buffer.of(1),
    })
    .execute();
}

const invite = (db: Database, now: Date, to: { organization_uuid: string; email: string }) =>
  upsertInvitation(db, {
    uuid: randomUUID(),
    ...to,
    inviter_uuid: null,
    message: "",
    key_hash: randomBytes(32),
    created_at: now,
    sent_at: now,
    expires_at: now,
  });

/** Robin, who is about to leave. */
async function leaver(options: Options = {}) {
  const test = await createTestApp();
  const robin = await test.as(options);
  const path = `/v1/users/${robin.user.uuid}`;
  return {
    ...test,
    robin,
    leave: (password = robin.user.password) => robin.delete(path, { password }),
    preview: async () => (await robin.get(`${path}/deletion`)).json(),
    login: async () => {
      const { email, password } = robin.user;
      return (await test.call("POST", "/v1/users/login", { body: { email, password } })).statusCode;
    },
    mails: async () => {
      const { rows } = await sql<{ to_address: string; subject: string; text: string }>`
        SELECT to_address, subject, text FROM mails ORDER BY created_at`.execute(test.db);
      return rows;
    },
    count: async (table: "recipes" | "os_images" | "hardware_profiles", column: string, uuid: string) => {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${uuid}`.execute(test.db);
      return rows[0]?.count;
    },
  };
}

/** A colleague in an organization of their own makes sure that it stays. */
async function member(role: "user" | "manager" = "user") {
  const left = await leaver({ role });
  const organization = left.robin.user.organization_uuid ?? "";
  const kim = await left.as({ organization, role: "manager" });
  return { ...left, organization, kim };
}

describe("DELETE /v1/users/:uuid", () => {
  it("ends the account everywhere at once: sign-in, sessions, API tokens, running devices", async () => {
    const { robin, kim, leave, login, call, instance, audited, mails, preview, db } = await member();
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const start = async (who = robin) => (await who.start()).json<{ uuid: string }>().uuid;
    const [device, over, ofKim] = [await start(), await start(), await start(kim)];
    await db.updateTable("instances").set({ state: "DELETED" }).where("uuid", "=", over).execute();
    expect((await preview()).devices).toMatchObject([{ uuid: device }]);
    const answer = await leave();
    expect([answer.statusCode, answer.body]).toEqual([204, ""]);
    expect(await login()).toBe(401);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    const byToken = { "x-api-token": made.json<{ token: string }>().token };
    expect((await call("GET", "/v2/instances", { headers: byToken })).statusCode).toBe(401);
    expect([await instance(device), await instance(over)]).toEqual(["STOPPING", "DELETED"]);
    expect(await instance(ofKim)).not.toBe("STOPPING");
    const [record] = (await audited()).filter(({ action }) => action === "user.delete");
    expect(record).toMatchObject({ outcome: "done", details: { devices: 1, ends_organization: false } });
    expect(await mails()).toMatchObject([
      { to_address: robin.user.email, subject: "Your Terrarium account was deleted" },
    ]);
  });

  it("leaves nothing that names the person, in any table but the mail that says so", async () => {
    const { robin, leave, db, clock, mails } = await member();
    const { uuid, email } = robin.user;
    await sendMail(db, clock, { to: { address: email }, subject: "Before", text: "a", html: "b" });
    await knownElsewhere(db, clock, email);
    await knownElsewhere(db, clock, "other@fernworks.test");
    await robin.put(`/v2/users/${uuid}`, { first_name: "Zephyrine" });
    await robin.start();
    await leave();
    const { rows: tables } = await sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql<{ count: number }>`
        SELECT count(*)::integer FROM ${sql.table(name)} AS held
        WHERE held::text ILIKE ${`%${email}%`} OR held::text LIKE '%Zephyrine%'`.execute(db);
      if (rows[0]?.count) found.push(name);
    }
    expect(found).toEqual(["mails"]);
    for (const table of ["sign_up_links", "sign_ups", "invitations"] as const) {
      const held = await db.selectFrom(table).select("email").execute();
      expect([...new Set(held.map((row) => row.email))]).toEqual(["other@fernworks.test"]);
    }
    expect((await mails()).map(({ subject }) => subject)).toEqual(["Your Terrarium account was deleted"]);
  });

  it("leaves an organization what was made for it, whose owner is shown as deleted", async () => {
    const { robin, leave, kim, db, count, organization, preview } = await member();
    const recipe = await aCustom(db, "recipes", robin.user);
    await aCustom(db, "os_images", robin.user);
    expect(await preview()).toMatchObject({ recipes: { deleted: 0, kept: 1 }, ends_organization: false });
    await leave();
    const shown = (await kim.get(`/v2/recipes/${recipe}`)).json();
    expect(shown.owner).toMatchObject({ uuid: robin.user.uuid, first_name: "Deleted", last_name: "user" });
    expect(shown.owner.email).toMatch(/@deleted\.invalid$/);
    expect(await count("os_images", "organization_uuid", organization)).toBe(1);
    const people = (await kim.get("/v2/users")).json();
    expect(people.results.map(({ uuid }: { uuid: string }) => uuid)).toEqual([kim.user.uuid]);
    expect(codeOf(await kim.get(`/v1/users/${robin.user.uuid}`))).toEqual([404, "USER_NOT_FOUND"]);
  });

  it("deletes what an organization has when nobody else belongs to it, and forgets its name and its billing details", async () => {
    const { robin, leave, db, clock, count, preview, as, instance } = await leaver({ role: "manager" });
    const organization = robin.user.organization_uuid ?? "";
    for (const table of ["recipes", "os_images", "hardware_profiles"] as const) await aCustom(db, table, robin.user);
    const other = await anOrganization(db, { name: "Mossworks" });
    await joinable(db, clock, other);
    const stranger = await as({ organization: other, role: "manager" });
    const theirs = (await stranger.start()).json<{ uuid: string }>().uuid;
    // Of somebody who was a member.
    const left = (await robin.start()).json<{ uuid: string }>().uuid;
    await db.updateTable("instances").set({ owner_uuid: stranger.user.uuid }).where("uuid", "=", left).execute();
    for (const table of ["recipes", "os_images", "hardware_profiles"] as const) await aCustom(db, table, stranger.user);
    expect(await preview()).toMatchObject({
      refusal: null,
      recipes: { deleted: 1, kept: 0 },
      ends_organization: true,
    });
    await joinable(db, clock, organization);
    const street = { street: "1 Moss Lane", city: "Fernham", postcode: "F1", country: "GB" };
    await db
      .updateTable("organizations")
      .set({
        company_name: "Zephyr Ltd",
        vat_number: "GB1",
        additional_billing_contact_email: "bills@zephyr.example",
        allowed_origins: ["https://portal.example"],
        allowed_sign_ins: ["password"],
      })
      .where("uuid", "=", organization)
      .execute();
    for (const [path, body] of [
      ["/v1/billing/addresses", street],
      ["/v1/billing/cards", { token: "pm_card_visa" }],
    ] as const)
      expect((await robin.post(path, body)).statusCode).toBe(201);
    expect((await leave()).statusCode).toBe(204);
    for (const table of ["cards", "customers", "billing_addresses"] as const)
      expect(await db.selectFrom(table).select("organization_uuid").execute()).toEqual([]);
    expect((await sql`SELECT FROM jobs WHERE name = 'remove-card'`.execute(db)).rows).toHaveLength(1);
    for (const table of ["invitations", "organization_providers"] as const)
      expect(await db.selectFrom(table).select("organization_uuid").execute()).toEqual([{ organization_uuid: other }]);
    for (const table of ["recipes", "os_images", "hardware_profiles"] as const)
      expect([
        await count(table, "organization_uuid", organization),
        await count(table, "organization_uuid", other),
      ]).toEqual([0, 1]);
    expect([await instance(left), await instance(theirs)]).toEqual(["STOPPING", "CREATING"]);
    const names = await db.selectFrom("organizations").selectAll().execute();
    expect(names.find(({ uuid }) => uuid === organization)).toMatchObject({
      name: "Deleted organization",
      company_name: "",
      vat_number: "",
      additional_billing_contact_email: null,
      address: null,
      allowed_origins: [],
      allowed_sign_ins: null,
    });
    expect(names.find(({ uuid }) => uuid === other)?.name).toBe("Mossworks");
  });

  it("knows of each table with an organization's rows whether they end with it", async () => {
    const { db } = await leaver();
    const { rows } = await sql<{ name: string }>`
      SELECT columns.table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_name)
      WHERE columns.table_schema = 'public' AND column_name = 'organization_uuid' AND table_type = 'BASE TABLE'`.execute(
      db,
    );
    const known: string[] = [...endsWithOrganization, ...outlastOrganizations];
    expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
  });

  it("ends shares with the person, and those that are then with nobody", async () => {
    const { robin, leave, db, kim, as, organization } = await member();
    const recipe = await aCustom(db, "recipes", kim.user);
    const another = await aCustom(db, "recipes", kim.user);
    for (const [uuid, users] of [
      [recipe, [robin.user.uuid]],
      [another, [robin.user.uuid, (await as({ organization })).user.uuid]],
    ] as const)
      expect((await kim.post(`/v1/recipes/${uuid}/share`, { recipients: { users } })).statusCode).toBeLessThan(300);
    await leave();
    const left = await db
      .selectFrom("shares")
      .innerJoin("share_recipients", "share_recipients.recipe_uuid", "shares.recipe_uuid")
      .select("shares.recipe_uuid")
      .execute();
    expect(left).toEqual([{ recipe_uuid: another }]);
    expect(await db.selectFrom("shares").select("recipe_uuid").execute()).toEqual(left);
  });

  it("ends budgets of an organization that ends with the person, and what others share with it", async () => {
    const { robin, leave, db, as } = await leaver({ role: "manager" });
    const stranger = await as({ organization: await anOrganization(db), role: "manager" });
    const recipe = await aCustom(db, "recipes", stranger.user);
    for (const answer of [
      await stranger.post(`/v1/recipes/${recipe}/share`, { organizations: [robin.user.organization_uuid] }),
      await robin.post("/v1/budgets", { unit: "minutes", limit: 100 }),
      await stranger.post("/v1/budgets", { unit: "minutes", limit: 100 }),
    ])
      expect([answer.statusCode < 300, answer.body]).toEqual([true, answer.body]);
    await leave();
    expect(await db.selectFrom("shares").selectAll().execute()).toEqual([]);
    const budgets = await db.selectFrom("budgets").select("organization_uuid").execute();
    expect(budgets).toEqual([{ organization_uuid: stranger.user.organization_uuid }]);
  });

  it("refuses a wrong password, and changes nothing", async () => {
    const { leave, login } = await member();
    expect(codeOf(await leave("wrong horse 1"))).toEqual([403, "WRONG_PASSWORD"]);
    expect(await login()).toBe(200);
  });

  it("takes a sign-in of the last ten minutes where there is no password", async () => {
    const { leave, robin, kim, db, clock } = await member();
    await db.updateTable("users").set({ password_hash: null }).execute();
    expect((await leave()).statusCode).toBe(204);
    await clock.advance(10 * 60_000 + 1);
    expect(codeOf(await kim.delete(`/v1/users/${kim.user.uuid}`, {}))).toEqual([403, "SIGN_IN_AGAIN"]);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    expect((await kim.get("/v2/instances")).statusCode).toBe(200);
  });

  it("counts wrong passwords together with those of a change", async () => {
    const { leave, robin } = await member();
    for (let tries = 0; tries < 20; tries++)
      await robin.put("/v1/users/password", { old_password: "wrong horse 1", new_password: "a better horse 2" });
    expect(codeOf(await leave())).toEqual([429, "TOO_MANY_REQUESTS"]);
  });

  it("refuses the last manager of others, and says what to do; not when there is another", async () => {
    const { leave, robin, kim, db, preview, login } = await member("manager");
    await db.updateTable("users").set({ is_organization_manager: false }).where("uuid", "=", kim.user.uuid).execute();
    expect((await preview()).refusal).toBe("members");
    const refused = await leave();
    expect(codeOf(refused)).toEqual([409, "LAST_MANAGER"]);
    expect(refused.json().details).toEqual({ reason: "members" });
    expect(await login()).toBe(200);
    const manages = (is_organization_manager: boolean) =>
      db.updateTable("users").set({ is_organization_manager }).where("uuid", "=", robin.user.uuid).execute();
    await manages(false);
    expect((await preview()).refusal).toBeNull();
    await manages(true);
    const becomesManager = { is_organization_manager: true };
    await db
      .updateTable("users")
      .set({ ...becomesManager, is_enabled: false })
      .where("uuid", "=", kim.user.uuid)
      .execute();
    expect(codeOf(await leave())).toEqual([409, "LAST_MANAGER"]);
    await db.updateTable("users").set({ is_enabled: true }).where("uuid", "=", kim.user.uuid).execute();
    expect((await leave()).statusCode).toBe(204);
  });

  it("refuses to leave a plan behind that nobody could end", async () => {
    const { leave, robin, db, clock } = await leaver({ role: "manager" });
    const plan = (fields: object) =>
      db.updateTable("organizations").set(fields).where("uuid", "=", robin.user.organization_uuid).execute();
    await plan({ license_type: "fixed", license_expires_at: new Date(clock.now() + 1000) });
    const refused = await leave();
    expect([...codeOf(refused), refused.json().details]).toEqual([409, "LAST_MANAGER", { reason: "plan" }]);
    await plan({ license_expires_at: new Date(clock.now()) });
    expect((await leave()).statusCode).toBe(204);
  });

  it("refuses it also to the only member, who is no manager", async () => {
    const { leave, preview, robin, db } = await leaver({ role: "user" });
    await db
      .updateTable("organizations")
      .set({ license_type: "fixed", license_expires_at: null })
      .where("uuid", "=", robin.user.organization_uuid)
      .execute();
    expect((await preview()).refusal).toBe("plan");
    expect(codeOf(await leave())).toEqual([409, "LAST_MANAGER"]);
  });

  it("lets only one of two last managers go at the same moment", async () => {
    const { leave, kim, as, organization } = await member("manager");
    await as({ organization });
    const both = [leave(), kim.delete(`/v1/users/${kim.user.uuid}`, { password: kim.user.password })];
    const answers = (await Promise.all(both)).map(({ statusCode }) => statusCode);
    expect(answers.toSorted((one, other) => one - other)).toEqual([204, 409]);
  });

  it.each([
    [
      "the other manager becomes a user",
      (organization: string): Options => ({ organization, role: "manager" }),
      () => ({ is_organization_manager: false }),
    ],
    ["somebody joins", (): Options => ({ role: "guest" }), (organization_uuid: string) => ({ organization_uuid })],
  ])("refuses the last manager when %s at that moment", async (_, other, changeFor) => {
    const { leave, robin, as, db } = await leaver({ role: "manager" });
    const organization = robin.user.organization_uuid ?? "";
    const { uuid } = (await as(other(organization))).user;
    const { leaving } = await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set(changeFor(organization)).where("uuid", "=", uuid).execute();
      const begun = leave();
      await Promise.race([begun, untilBlocked(db)]);
      return { leaving: begun };
    });
    expect(codeOf(await leaving)).toEqual([409, "LAST_MANAGER"]);
  });

  it("takes no password that is replaced at that moment", async () => {
    const { leave, robin, db } = await member();
    const { leaving } = await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: "x" }).where("uuid", "=", robin.user.uuid).execute();
      const begun = leave();
      await Promise.race([begun, untilBlocked(db)]);
      return { leaving: begun };
    });
    expect(codeOf(await leaving)).toEqual([403, "WRONG_PASSWORD"]);
  });

  it("is for oneself only", async () => {
    const { kim, robin, as, login } = await member();
    const stranger = await as();
    const path = `/v1/users/${robin.user.uuid}`;
    for (const [who, code] of [
      [kim, [403, "FORBIDDEN"]],
      [stranger, [404, "USER_NOT_FOUND"]],
    ] as const) {
      expect(codeOf(await who.delete(path, { password: who.user.password }))).toEqual(code);
      expect(codeOf(await who.get(`${path}/deletion`))).toEqual(code);
      expect(codeOf(await who.get(`${path}/export`))).toEqual(code);
    }
    expect(await login()).toBe(200);
  });

  it("refuses the pages of others", async () => {
    const { robin, call } = await member();
    const headers = { ...robin.headers, origin: "https://evil.example" };
    const answer = await call("DELETE", `/v1/users/${robin.user.uuid}`, {
      body: { password: robin.user.password },
      headers,
    });
    expect(codeOf(answer)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
  });

  it("stops a device that is being saved after that, and takes those that had ended off the lists", async () => {
    const { robin, kim, leave, db, clock, instance } = await member();
    const ofKim = (await kim.start()).json<{ uuid: string }>().uuid;
    const [saving, failed] = [(await robin.start()).json().uuid as string, (await robin.start()).json().uuid as string];
    await db.updateTable("instances").set({ state: "SAVING" }).where("uuid", "=", saving).execute();
    await moveInstance(db, { uuid: failed, event: "fail", now: new Date(clock.now()) });
    await leave();
    expect([await instance(saving), await instance(failed)]).toEqual(["SAVING", "DELETED"]);
    await stopAbandonedDevices.run({ db, clock });
    expect(await instance(saving)).toBe("SAVING");
    // Its save has failed, so it would run on.
    await db.updateTable("instances").set({ state: "ONLINE" }).where("uuid", "=", saving).execute();
    await stopAbandonedDevices.run({ db, clock });
    expect(await instance(saving)).toBe("STOPPING");
    expect(await instance(ofKim)).not.toBe("STOPPING");
  });

  it("frees the address for a new account, and demo accounts come back when the server starts", async () => {
    const { db, clock, audit, call, as, leave, robin } = await member();
    await leave();
    expect((await as({ fields: { email: robin.user.email } })).token).toBeTypeOf("string");

    await openDemo({ db, clock, audit }, { isLocal: true });
    const signIn = async () =>
      call("POST", "/v1/users/login", { body: { email: "guest@demo.test", password: "terrarium1" } });
    const guest = (await signIn()).json<{ token: string; user: { uuid: string } }>();
    const left = await call("DELETE", `/v1/users/${guest.user.uuid}`, {
      body: { password: "terrarium1" },
      headers: { authorization: `Bearer ${guest.token}` },
    });
    expect([left.statusCode, (await signIn()).statusCode]).toEqual([204, 401]);
    await openDemo({ db, clock, audit }, { isLocal: true });
    const back = await signIn();
    expect([back.statusCode, back.json().user.first_name]).toEqual([200, "Priya"]);
    expect(demoAccounts).toContain(back.json().user.uuid);
  });
});

it("whatever refers to a person either ends with them or may find nobody in their place", async () => {
  const { db } = await createTestApp();
  const { rows } = await sql<{ name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE confrelid = 'users'::regclass AND contype = 'f' AND confdeltype NOT IN ('c', 'n') AND NOT condeferrable`.execute(
    db,
  );
  expect(rows).toEqual([]);
});
