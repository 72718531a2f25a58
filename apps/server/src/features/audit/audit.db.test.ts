import { aDirectoryOf } from "../scim/testing/directory.ts";
import { auditActions, contract, type Route } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { JobWorker } from "../../platform/jobs/worker.ts";
import { createLog } from "../../platform/log.ts";
import { createTestApp } from "../../testing/app.ts";
import { aCustom, anOrganization, aUser } from "../../testing/factories.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { markInvoicePaid, refundInvoice } from "../billing/operate-invoices.ts";
import { closeDemo, openDemo } from "../demo/demo.ts";
import { aCapture } from "../captures/testing/a-capture.ts";
import { DeviceActs } from "../instances/device-acts.ts";
import { limitZone } from "../instances/zone-limits.ts";
import { anInvoice } from "../invoices/testing/an-invoice.ts";
import { addOfficialImage } from "../os-images/official-images.ts";
import { mailPasswordLink } from "../passwords/passwords.jobs.ts";
import { setZone } from "../organizations/set-zone.ts";
import { setLimit } from "../organizations/set-limit.ts";
import { deleteUnusedAccounts } from "../profile/profile.jobs.ts";
import { endOldSessions } from "../sessions/sessions.jobs.ts";
import { removeOrganizationProvider, setOrganizationProvider } from "../sso/organization-provider.ts";
import { addUser } from "../users/add-user.ts";
import { removePool, setPool } from "../warm-pool/warm-pool.ts";
import { disableUser, enableUser, resetPassword, setRole, signOutUser } from "../users/manage-user.ts";
import { deleteOldAuditRecords } from "./audit.jobs.ts";
import { byCaller } from "./by.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** What routes leave in it, which `roles/audited.db.test.ts` shows. */
const byRoutes = new Set(
  Object.values(contract).flatMap((table) =>
    Object.values<Route>(table).flatMap(({ audit }) => (audit && "length" in audit ? [...audit] : [])),
  ),
);

/** An app whose log lines are kept. */
async function audited({ listen = false } = {}) {
  let text = "";
  const lines = new Writable({ write: (chunk, _encoding, done) => ((text += String(chunk)), done()) });
  const test = await createTestApp({ listen, log: createLog("info", "test", lines) });
  const rows = () => test.db.selectFrom("audit_records").selectAll().orderBy("id").execute();
  const logged = () =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
      .filter((line) => "audit" in line);
  const login = (email: string, password: string) =>
    test.call("POST", "/v1/users/login", { body: { email, password } });
  return { ...test, rows, logged, text: () => text, login };
}

describe("the audit log", () => {
  it("tells who did what, when, from where, in which request", async () => {
    const { as, rows, logged, clock } = await audited();
    const robin = await as();
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const [signIn, create] = await rows();
    expect(signIn).toMatchObject({
      at: new Date(clock.now()),
      action: "session.open",
      outcome: "done",
      actor_kind: "user",
      actor_uuid: robin.user.uuid,
      organization_uuid: robin.user.organization_uuid,
      subject_kind: "session",
      address: "127.0.0.1",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      details: {},
    });
    expect(create).toMatchObject({
      action: "api_token.create",
      actor_kind: "user",
      actor_uuid: robin.user.uuid,
      credential_uuid: signIn?.subject_uuid,
      organization_uuid: robin.user.organization_uuid,
      subject_kind: "api_token",
      subject_uuid: made.json().uuid,
      request_id: made.headers["x-request-id"],
      details: { description: "ci", scope: "devices", expires_at: null },
    });
    const { id: _, at: __, position: ___, hash: ____, ...same } = create!;
    expect(logged()[1]).toMatchObject({ level: 30, audit: same, msg: "audit: api_token.create done" });
  });

  it("has a record of everything on its list, by everybody who can do it, and no secret in rows or lines", async () => {
    const test = await audited();
    const { as, call, db, clock, audit, operator, login, rows, text } = test;
    const secrets = ["correct horse 1", "wrong horse 22", "operators choice 3", "terrarium1", "provider secret 4"];
    const robin = await as({ role: "manager", fields: { tnc_accepted_at: null } });
    const { email } = robin.user;

    await robin.post("/v1/users/terms-and-conditions");
    await robin.put(`/v2/users/${robin.user.uuid}`, { first_name: "Robyn" });
    const made = await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" });
    const { uuid, token } = made.json();
    const byToken = { "x-api-token": token };
    const second = await call("POST", "/v1/api-tokens", { headers: byToken, body: { description: "second" } });
    await robin.delete(`/v1/api-tokens/${second.json().uuid}`);
    secrets.push(robin.token, token, second.json().token);

    // What devices are made of
    const displays = [{ width: 1080, height: 2400, density: 420 }];
    const profile = (await robin.post("/v1/hardware-profiles", { name: "Fern", display_settings: { displays } })).json()
      .uuid;
    await robin.put(`/v1/hardware-profiles/${profile}`, { name: "Moss" });
    const image = await aCustom(db, "os_images", robin.user, { previous_layers: "[]" });
    const parts = { hardware_profile_uuid: profile, os_image_uuid: image };
    const recipe = (await robin.post("/v1/recipes", { name: "Fern", description: "", ...parts })).json().uuid;
    await robin.put(`/v2/recipes/${recipe}`, { name: "Moss" });
    const organizations = [robin.user.organization_uuid];
    const share = (await robin.post(`/v1/recipes/${recipe}/share`, { organizations })).json().uuid;
    await robin.delete(`/v1/shares/${share}`);
    await robin.put(`/v1/recipes/${recipe}/rollback`);
    await robin.delete(`/v1/recipes/${recipe}`);
    await robin.delete(`/v1/hardware-profiles/${profile}`);
    const copy = (await robin.post(`/v1/os-images/${image}/duplicate`, { name: "Fern" })).json().uuid;
    await robin.put(`/v1/os-images/${copy}`, { name: "Moss" });
    await robin.delete(`/v1/os-images/${copy}`);

    const { instance_uuid: instanceUuid } = await aCapture(test, robin);
    const mine = db.selectFrom("sessions").select("uuid").where("user_uuid", "=", robin.user.uuid);
    const { uuid: credential } = await mine.executeTakeFirstOrThrow();
    const organization = robin.user.organization_uuid!;
    const by = { instanceUuid, user: robin.user.uuid, credential, cameAs: "user", organization } as const;
    const acts = new DeviceActs({ ...test, log: createLog("silent", "test") });
    for (const act of [
      "uninstall_app",
      "clear_app",
      "open_shell",
      "open_adb",
      "upload_file",
      "download_file",
      "delete_file",
    ] as const)
      acts.note(by, "", { action: `instance.${act}` });
    await acts.stop();

    // People who come and go
    const invited = await robin.post("/v1/accounts/invites", { emails: ["fern@fern.test"] });
    await robin.delete(`/v1/accounts/invites/${invited.json().results[0].uuid}`);
    await robin.get(`/v1/users/${robin.user.uuid}/export`);
    const leaver = await as();
    await leaver.delete(`/v1/users/${leaver.user.uuid}`, { password: leaver.user.password });
    secrets.push(leaver.token);

    // Second factors
    const boss = await as({ role: "manager" });
    const { recoveryCodes } = await setUpTotp(test, boss);
    const rule = `/v1/organizations/${boss.user.organization_uuid}/second-factor`;
    const proof = { password: boss.user.password };
    await boss.put(rule, { is_required: true, ...proof });
    const { ticket } = (await login(boss.user.email, boss.user.password)).json().details;
    const confirmation = { ticket, method: "recovery", code: recoveryCodes[0] };
    await call("POST", "/v1/users/login/second-factor", { body: confirmation });
    const factors = `/v1/users/${boss.user.uuid}/second-factor`;
    const renewed = await boss.post(`${factors}/recovery-codes`, proof);
    await boss.put(rule, { is_required: false, ...proof });
    await boss.delete(`${factors}/totp`, proof);
    secrets.push(boss.token, ticket, ...recoveryCodes, ...renewed.json().recovery_codes);

    // Refusals
    await login(email, "wrong horse 22");
    await login("nobody@fernworks.test", "wrong horse 22");
    for (const apiToken of [second.json().token, "tt_unknownunknown"])
      await call("GET", "/v2/instances", { headers: { "x-api-token": apiToken } });
    await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${robin.token.slice(0, -3)}AAA` } });
    const guest = await as({ role: "guest" });
    await guest.get("/v2/users");
    secrets.push(guest.token, "tt_unknownunknown", robin.token.split(".")[2]!);

    // The operator
    const person = {
      email: "moss@fern.test",
      password: "operators choice 3",
      organization: "Mossworks",
      manager: false,
    };
    await addUser(operator, person);
    await setLimit(operator, "Mossworks", 7);
    await setZone(operator, "Mossworks", { zone: "europe", isDedicated: true });
    const provider = { domain: "fern.test", issuer: "https://id.fern.test", clientId: "terrarium" };
    await setOrganizationProvider(operator, "Mossworks", { ...provider, clientSecret: "provider secret 4" });
    await removeOrganizationProvider(operator, "Mossworks");
    await setRole(operator, person.email, "manager");
    await disableUser(operator, email);
    await login(email, "correct horse 1");
    await enableUser(operator, email);
    await resetPassword(operator, email, "operators choice 3");
    await login(email, "operators choice 3");
    await signOutUser(operator, email, { sessions: true, tokens: true });
    const image14 = { name: "Redroid 14", runtime: "docker", artefact: "redroid:14", arch: "x86_64", osVersion: "14" };
    await addOfficialImage(operator, { ...image14, sdkVersion: 34, formFactors: ["PHONE"] }, operator.by);
    await limitZone(operator, "europe", 500, operator.by);
    const official = db.selectFrom("recipes").select("uuid").where("is_official", "=", true);
    const ready = { called: (await official.executeTakeFirstOrThrow()).uuid, zone: "europe" };
    await setPool(operator, { ...ready, least: 1, most: 2 }, operator.by);
    await removePool(operator, ready, operator.by);
    const invoice = await anInvoice(db, robin.user.organization_uuid!, { statuses: ["FAILED"] });
    await markInvoicePaid({ ...operator, taxes: { sellerCountry: "FR" } }, invoice, "by transfer");
    await refundInvoice({ ...operator, taxes: { sellerCountry: "FR" } }, invoice);

    // Terrarium itself
    await call("POST", "/v1/users/password/request", { body: { email } });
    await new JobWorker({ ...test, log: createLog("silent", "test"), jobs: [mailPasswordLink], deps: test }).runDue();
    await openDemo(test, { isLocal: true });
    await closeDemo(db, audit);
    await guest.post("/v1/users/signout");
    await as();
    await db
      .updateTable("sessions")
      .set({ created_at: new Date(clock.now() - 31 * DAY_MS) })
      .execute();
    await endOldSessions.run({ db, clock, audit });
    // Nobody has ever signed in to this account.
    await aUser(db);
    const pagesAt = () => "https://devices.example";
    const mailer = { send: async () => undefined };
    const log = createLog("silent", "test");
    await deleteUnusedAccounts.run({ db, clock, log, audit, mailer, pagesAt, retention: { accountDays: 30 } });

    // A directory
    const { scim, manager: maria, token: directoryToken } = await aDirectoryOf(test, "moss.example");
    const Operations = [{ op: "replace", path: "externalId", value: "7" }];
    await scim("PATCH", `/Users/${maria.user.uuid}`, { Operations });
    secrets.push(maria.token, directoryToken);
    await test.app.stop();

    const all = await test.audited();
    const seen = new Set<string>(all.map(({ action }) => action));
    expect(auditActions.filter((action) => !byRoutes.has(action) && !seen.has(action))).toEqual([]);
    const of = (actor: string) => all.filter((record) => record.actor === actor).map((r) => `${r.action} ${r.outcome}`);
    expect(of("operator")).toEqual([
      "organization.create done",
      "user.create done",
      "organization.set_limit done",
      "organization.set_zone done",
      "organization.set_provider done",
      "organization.remove_provider done",
      "user.set_role done",
      "user.disable done",
      "user.enable done",
      "user.reset_password done",
      "user.sign_out done",
      "os_image.add done",
      "zone.limit done",
      "warm_pool.set done",
      "warm_pool.remove done",
      "invoice.mark_paid done",
      "invoice.refund done",
      "organization.set_provider done",
    ]);
    expect(of("service")).toEqual([
      "user.disable done",
      "user.disable done",
      "user.disable done",
      "session.end done",
      "session.end done",
      "session.end done",
      "user.announce_deletion done",
    ]);
    const tokens = (await rows()).filter(({ actor_kind }) => actor_kind === "token");
    expect(tokens.map(({ action, credential_uuid }) => [action, credential_uuid])).toEqual([
      ["api_token.create", uuid],
      ["capture.create", robin.user.uuid],
    ]);
    const written = `${JSON.stringify(await rows())}\n${text()}`;
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    expect(written).not.toMatch(/argon2|eyJ|tt_/);
  });

  it("records a change in its transaction: neither exists without the other", async () => {
    const { as, db, rows, logged, login } = await audited();
    const robin = await as();
    const before = (await rows()).length;
    await sql`ALTER TABLE audit_records ADD CHECK (action NOT IN ('api_token.create', 'session.open', 'session.end')) NOT VALID`.execute(
      db,
    );
    const answers = [
      await robin.post("/v1/api-tokens", { description: "ci" }),
      await login(robin.user.email, robin.user.password),
      await robin.post("/v1/users/signout"),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([500, 500, 500]);
    expect(await db.selectFrom("api_tokens").selectAll().execute()).toEqual([]);
    const sessions = await db.selectFrom("sessions").select("ended_at").execute();
    expect(sessions).toEqual([{ ended_at: null }]);
    expect([(await rows()).length, logged().length]).toEqual([before, before]);
  });

  it("logs no line for what is rolled back", async () => {
    const { audit, db, rows, logged } = await audited();
    const by = byCaller({ ip: "203.0.113.7", requestId: randomUUID() });
    const undone = transaction(db, async (trx) => {
      await audit.record(trx, by, { action: "user.create" });
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect([await rows(), logged()]).toEqual([[], []]);
    await audit.record(db, by, { action: "user.create" });
    expect([(await rows()).length, logged().length]).toEqual([1, 1]);
  });

  it("does not record what changed nothing", async () => {
    const { as, db, rows, operator } = await audited();
    const robin = await as();
    const before = (await rows()).length;
    expect(await enableUser(operator, robin.user.email)).toBe(false);
    expect(await setRole(operator, robin.user.email, "user")).toBe(false);
    await robin.post("/v1/users/terms-and-conditions");
    const other = await aUser(db);
    expect(await signOutUser(operator, other.email, { sessions: true, tokens: true })).toEqual({
      sessions: 0,
      tokens: 0,
    });
    expect((await rows()).length).toBe(before);
  });

  it("cannot be changed, cut short or filled with large details", async () => {
    const { as, db, rows, audit } = await audited();
    await as();
    const before = await rows();
    for (const change of [
      sql`UPDATE audit_records SET outcome = 'refused'`,
      sql`DELETE FROM audit_records`,
      sql`TRUNCATE audit_records`,
    ])
      await expect(change.execute(db)).rejects.toThrow("audit records cannot be changed");
    const details = { note: "x".repeat(4100) };
    await expect(audit.record(db, { kind: "service" }, { action: "user.create", details })).rejects.toThrow("details");
    expect(await rows()).toEqual(before);
  });

  it("outlives the people and things that it is about", async () => {
    const { db, audit, rows } = await audited();
    const organization = await anOrganization(db);
    const robin = await aUser(db, { organization });
    const subject = { kind: "user", uuid: robin.uuid } as const;
    await audit.record(db, { kind: "operator" }, { action: "user.create", subject, organization });
    await db.deleteFrom("users").execute();
    await db.deleteFrom("organizations").execute();
    expect(await rows()).toMatchObject([{ subject_uuid: robin.uuid, organization_uuid: organization }]);
  });

  it("forgets records that are older than the setting says, and only those", async () => {
    const { db, clock, audit, rows } = await audited();
    const record = () => audit.record(db, { kind: "service" }, { action: "user.create" });
    await record();
    await clock.advance(1);
    await record();
    const retention = { auditDays: 90 };
    await clock.advance(90 * DAY_MS);
    await deleteOldAuditRecords.run({ db, clock, retention });
    expect((await rows()).map(({ at }) => at.getTime())).toEqual([clock.now() - 90 * DAY_MS]);
    await expect(sql`DELETE FROM audit_records`.execute(db)).rejects.toThrow("audit records cannot be changed");
  });
});
