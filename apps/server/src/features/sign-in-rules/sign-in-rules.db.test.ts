import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { anOrganization } from "../../testing/factories.ts";
import { setUpTotp } from "../../testing/second-factor.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { SoftwareAuthenticator } from "../passkeys/testing/software-authenticator.ts";
import { endOldSessions } from "../sessions/sessions.jobs.ts";
import { allowAnySignIn } from "./for-operator.ts";

const publicUrl = "https://devices.example";
const portal = "https://portal.example";
const HOUR_MS = 3_600_000;

/** Robin, who manages an organization, and Kim, who is a member of it. */
async function setUp(options: Parameters<typeof createTestApp>[0] = {}) {
  const test = await createTestApp({ publicUrl, ...options });
  const organization = await anOrganization(test.db, { name: "Mossworks" });
  const [robin, kim] = [await test.as({ organization, role: "manager" }), await test.as({ organization })];
  const path = `/v1/organizations/${organization}/sign-in-rules`;
  const { password } = robin.user;
  const set = (rules: object, person = robin) => person.put(path, { password, ...rules });
  const login = (
    { email, password: typed }: { email: string; password: string },
    headers: Record<string, string> = {},
  ) => test.call("POST", "/v1/users/login", { body: { email, password: typed }, headers });
  /** Adds a passkey; returns the way to sign in with it, and to remove it. */
  const addPasskey = async (person = robin) => {
    const own = `/v1/users/${person.user.uuid}/passkeys`;
    const authenticator = new SoftwareAuthenticator(publicUrl);
    const begun = (await person.post(`${own}/options`, { password: person.user.password })).json();
    const { uuid } = (await person.post(own, { name: "Phone", credential: authenticator.make(begun) })).json();
    return {
      remove: () => person.delete(`${own}/${uuid}`, { password: person.user.password }),
      async signIn() {
        const asked = (await test.call("POST", "/v1/passkeys/options")).json();
        return test.call("POST", "/v1/passkeys/login", { body: { credential: authenticator.use(asked) } });
      },
    };
  };
  return { ...test, organization, robin, kim, path, set, login, addPasskey };
}

describe("the rules for signing in", () => {
  it("allow everything at first, and are changed one by one", async () => {
    const { robin, path, set, audited } = await setUp();
    const open = { allowed_sign_ins: null, session_hours: 720, allowed_origins: [], own_provider: null };
    expect((await robin.get(path)).json()).toEqual(open);
    expect((await set({ session_hours: 8 })).json()).toEqual({ ...open, session_hours: 8 });
    expect((await set({ allowed_origins: [portal] })).json()).toMatchObject({
      session_hours: 8,
      allowed_origins: [portal],
    });
    await set({ allowed_sign_ins: ["passkey", "password"], session_hours: 8 });
    expect((await robin.get(path)).json().allowed_sign_ins).toEqual(["password", "passkey"]);
    expect(
      (await audited())
        .filter(({ action }) => action === "organization.set_sign_in_rules")
        .map(({ details }) => details),
    ).toEqual([
      { session_hours: 8, sessions: 0 },
      { allowed_origins: portal },
      { allowed_sign_ins: "passkey password" },
    ]);
  });

  it("that have changed are told to all managers by mail, and to nobody else", async () => {
    const { set, as, organization, robin, db, operator, clock } = await setUp();
    const other = await as({ organization, role: "manager", fields: { email: "alex@moss.example" } });
    const gone = await as({ organization, role: "manager" });
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", gone.user.uuid).execute();
    await as({ role: "manager", fields: { email: "elsewhere@fern.example" } });
    const told = async () =>
      (
        await sql<{ to_address: string; text: string }>`
          SELECT to_address, text FROM mails WHERE subject = 'Signing in follows another rule now in Mossworks'
          ORDER BY created_at, to_address`.execute(db)
      ).rows;
    const same = await set({ allowed_sign_ins: null, session_hours: 720, allowed_origins: [] });
    expect(same.statusCode).toBe(200);
    await set({ session_hours: 1, password: "wrong horse 1" });
    expect(await told()).toEqual([]);
    await set({ allowed_sign_ins: ["password", "passkey"], session_hours: 1, allowed_origins: [portal] });
    expect((await told()).map(({ to_address }) => to_address)).toEqual([other.user.email, robin.user.email].toSorted());
    for (const { text } of await told()) {
      expect(text).toContain(`${robin.user.email} has changed how members of Mossworks sign in.`);
      expect(text).toContain("They sign in with email and password or a passkey, and in no other way.");
      expect(text).toContain("They sign in again after 1 hour.");
      expect(text).toContain(`may sign them in with their passwords: ${portal}`);
      expect(text).toContain(`${publicUrl}/password-reset`);
    }
    await clock.advance(1);
    await set({ session_hours: 168, allowed_origins: [] });
    const [last] = (await told()).slice(2);
    expect(last?.text).toContain("They sign in again after 7 days.");
    expect(last?.text).toContain("No other pages may sign them in.");
    for (const other of ["in any way", "with their passwords"]) expect(last?.text).not.toContain(other);
    await clock.advance(1);
    await allowAnySignIn(operator, organization, publicUrl);
    const [opened] = (await told()).slice(4);
    expect(opened?.text).toContain("The operator of this service has changed how members of Mossworks sign in.");
    expect(opened?.text).toContain("They may sign in in any way that this service offers.");
    for (const unchanged of ["sign in again", "No other pages"]) expect(opened?.text).not.toContain(unchanged);
  });

  it("are changed by managers who prove who they are, in a session", async () => {
    const { robin, kim, as, path, set, call } = await setUp();
    const stranger = await as({ role: "manager" });
    const token = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json().token;
    const outcomes = [
      await set({ session_hours: 1, password: "wrong horse 1" }),
      await set({ session_hours: 1, password: undefined }),
      await set({ session_hours: 1 }, kim),
      await set({ session_hours: 1 }, stranger),
      await call("PUT", path, {
        body: { session_hours: 1, password: robin.user.password },
        headers: { "x-api-token": token },
      }),
      await kim.get(path),
      await stranger.get(path),
    ].map(outcomeOf);
    expect(outcomes).toEqual([
      "403 WRONG_PASSWORD",
      "403 WRONG_PASSWORD",
      "403 FORBIDDEN",
      "404 ORGANIZATION_NOT_FOUND",
      "403 FORBIDDEN",
      "403 FORBIDDEN",
      "404 ORGANIZATION_NOT_FOUND",
    ]);
    expect((await robin.get(path)).json().session_hours).toBe(720);
  });

  it.each([
    ["their password is replaced", () => ({ password_hash: "another" }), "403 WRONG_PASSWORD"],
    ["they are made a user", () => ({ is_organization_manager: false }), "403 FORBIDDEN"],
    [
      "they leave the organization",
      () => ({ organization_uuid: null, is_organization_manager: false }),
      "403 FORBIDDEN",
    ],
    ["they manage another one", (organization_uuid: string) => ({ organization_uuid }), "403 FORBIDDEN"],
  ])("are not changed by a manager at the moment in which %s", async (_, changeFor, outcome) => {
    const { db, set, organization, robin } = await setUp();
    const change = changeFor(await anOrganization(db));
    let setting: ReturnType<typeof set> | undefined;
    await db.transaction().execute(async (trx) => {
      const row = trx.selectFrom("organizations").select("uuid").where("uuid", "=", organization);
      await row.forNoKeyUpdate().execute();
      setting = set({ allowed_origins: [portal] });
      await Promise.race([setting, untilBlocked(db)]);
      // Whoever waits for the organization holds nobody up meanwhile.
      await trx.selectFrom("users").where("uuid", "=", robin.user.uuid).select("uuid").forUpdate().noWait().execute();
      await trx.updateTable("users").set(change).where("uuid", "=", robin.user.uuid).execute();
    });
    expect(setting && outcomeOf(await setting)).toBe(outcome);
  });

  it("are not changed with a password that is being replaced", async () => {
    const { db, set, robin } = await setUp();
    let setting: ReturnType<typeof set> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable("users").set({ password_hash: "another" }).where("uuid", "=", robin.user.uuid).execute();
      setting = set({ allowed_origins: [portal] });
      await Promise.race([setting, untilBlocked(db)]);
    });
    expect(setting && outcomeOf(await setting)).toBe("403 WRONG_PASSWORD");
  });

  it.each([
    [{ session_hours: 2 }],
    [{ session_hours: 0 }],
    [{ allowed_sign_ins: [] }],
    [{ allowed_sign_ins: ["password", "password"] }],
    [{ allowed_sign_ins: ["pigeon"] }],
    [{ allowed_origins: ["*"] }],
    [{ allowed_origins: ["null"] }],
    [{ allowed_origins: ["https://*.portal.example"] }],
    [{ allowed_origins: ["http://portal.example"] }],
    [{ allowed_origins: ["https://portal.example/"] }],
    [{ allowed_origins: ["https://portal.example/sign-in"] }],
    [{ allowed_origins: ["https://robin@portal.example"] }],
    [{ allowed_origins: ["https://Portal.example"] }],
    [{ allowed_origins: [portal, portal] }],
    [{ allowed_origins: Array.from({ length: 11 }, (_, index) => `https://portal-${index}.example`) }],
    [{ allowed_origins: [`https://${"a.".repeat(130)}example`] }],
  ])("cannot be %j", async (rules) => {
    const { set } = await setUp();
    expect(outcomeOf(await set(rules))).toBe("400 invalid_request");
  });
});

describe("allowed ways to sign in", () => {
  it("refuse all others at the sign-in, and say which there are to whoever has proved who they are", async () => {
    const { set, login, kim, addPasskey, audited, robin } = await setUp();
    const phone = await addPasskey();
    expect((await set({ allowed_sign_ins: ["passkey", "google"] })).statusCode).toBe(200);
    const refused = await login(kim.user);
    expect(refused.json()).toMatchObject({
      code: "SIGN_IN_NOT_ALLOWED",
      details: { ways: "passkey google", organization: "Mossworks" },
    });
    expect(outcomeOf(await login({ ...kim.user, password: "wrong horse 1" }))).toBe("401 BAD_USERNAME_PASSWORD");
    expect((await phone.signIn()).statusCode).toBe(200);
    // Whoever is signed in stays so.
    expect((await kim.get("/v1/sessions")).statusCode).toBe(200);
    await set({ allowed_sign_ins: ["password"] });
    expect(outcomeOf(await phone.signIn())).toBe("403 SIGN_IN_NOT_ALLOWED");
    await expect
      .poll(async () => (await audited()).at(-1))
      .toMatchObject({ action: "session.open", outcome: "refused", subject: robin.user.email });
    await set({ allowed_sign_ins: null });
    expect((await phone.signIn()).statusCode).toBe(200);
  });

  it("concern the organization's members alone", async () => {
    const { set, login, as, addPasskey } = await setUp();
    const [stranger, guest] = [await as(), await as({ role: "guest" })];
    await addPasskey();
    await set({ allowed_sign_ins: ["passkey"] });
    expect([(await login(stranger.user)).statusCode, (await login(guest.user)).statusCode]).toEqual([200, 200]);
  });

  it("hold for a sign-in that was begun before, and waits for its second factor", async () => {
    const test = await setUp();
    const { kim, login, addPasskey, set, call, clock } = test;
    await addPasskey();
    const app = await setUpTotp(test, kim);
    await clock.advance(60_000);
    const { ticket } = (await login(kim.user)).json().details;
    await set({ allowed_sign_ins: ["passkey"] });
    const confirmed = await call("POST", "/v1/users/login/second-factor", {
      body: { ticket, method: "totp", code: app.code() },
    });
    expect(outcomeOf(confirmed)).toBe("403 SIGN_IN_NOT_ALLOWED");
  });

  it("must leave one to the manager who chooses them", async () => {
    const { set, robin, db, organization } = await setUp();
    for (const way of ["passkey", "google", "organization", "oidc"])
      expect([way, outcomeOf(await set({ allowed_sign_ins: [way] }))]).toEqual([way, "409 SIGN_IN_NEEDED"]);
    const domain = robin.user.email.split("@")[1] ?? "";
    const secret = Buffer.from("sealed");
    await db
      .insertInto("organization_providers")
      .values({
        organization_uuid: organization,
        domain: "elsewhere.example",
        issuer: "https://id.example",
        client_id: "x",
        sealed_secret: secret,
      })
      .execute();
    expect(outcomeOf(await set({ allowed_sign_ins: ["organization"] }))).toBe("409 SIGN_IN_NEEDED");
    await db.updateTable("organization_providers").set({ domain }).execute();
    expect((await set({ allowed_sign_ins: ["organization"] })).json()).toMatchObject({ own_provider: domain });
  });

  it("must be the manager’s own, where passkeys work", async () => {
    const { set, db, kim, robin, addPasskey } = await setUp({ sso: { google: { id: "x", secret: "y" } } });
    await addPasskey(kim);
    await db
      .insertInto("identities")
      .values({
        uuid: kim.user.uuid,
        user_uuid: kim.user.uuid,
        provider: "google",
        label: "Google",
        issuer: "https://accounts.google.com",
        subject: "kim",
        email: kim.user.email,
        created_at: new Date(),
        last_used_at: new Date(),
      })
      .execute();
    for (const way of ["google", "passkey"])
      expect([way, outcomeOf(await set({ allowed_sign_ins: [way] }))]).toEqual([way, "409 SIGN_IN_NEEDED"]);
    await addPasskey();
    await db.updateTable("passkeys").set({ rp_id: "former.example" }).execute();
    expect(outcomeOf(await set({ allowed_sign_ins: ["passkey"] }))).toBe("409 SIGN_IN_NEEDED");
    await db.updateTable("users").set({ password_hash: null }).where("uuid", "=", robin.user.uuid).execute();
    expect(outcomeOf(await set({ allowed_sign_ins: ["password"] }))).toBe("409 SIGN_IN_NEEDED");
    const bare = await setUp({ publicUrl: "https://192.0.2.7" });
    expect((await bare.set({ allowed_sign_ins: ["password"] })).statusCode).toBe(200);
  });

  it("count no provider that the installation does not have any more", async () => {
    for (const isThere of [true, false]) {
      const google = { id: "x", secret: "y" };
      const { set, robin, db, addPasskey } = await setUp(isThere ? { sso: { google } } : {});
      const phone = await addPasskey();
      const now = new Date();
      const identity = { issuer: "https://accounts.google.com", subject: "robin", email: robin.user.email };
      await db
        .insertInto("identities")
        .values({
          ...identity,
          uuid: crypto.randomUUID(),
          user_uuid: robin.user.uuid,
          provider: "google",
          label: "Google",
          created_at: now,
          last_used_at: now,
        })
        .execute();
      expect(outcomeOf(await set({ allowed_sign_ins: ["google"] }))).toBe(isThere ? "200" : "409 SIGN_IN_NEEDED");
      await set({ allowed_sign_ins: ["google", "passkey"] });
      expect(outcomeOf(await phone.remove())).toBe(isThere ? "204" : "409 LAST_WAY_TO_SIGN_IN");
    }
  });

  it("keep the last of them from being removed", async () => {
    const { set, addPasskey, operator, organization, login, kim, audited } = await setUp();
    const [phone, key] = [await addPasskey(), await addPasskey()];
    await set({ allowed_sign_ins: ["passkey"] });
    expect((await phone.remove()).statusCode).toBe(204);
    expect(outcomeOf(await key.remove())).toBe("409 LAST_WAY_TO_SIGN_IN");
    expect((await key.signIn()).statusCode).toBe(200);
    await allowAnySignIn(operator, organization, publicUrl);
    expect((await audited()).at(-1)).toMatchObject({
      action: "organization.set_sign_in_rules",
      details: { allowed_sign_ins: "any" },
    });
    expect((await key.remove()).statusCode).toBe(204);
    expect((await login(kim.user)).statusCode).toBe(200);
  });

  it("refuse somebody who would join with a password, before they have joined", async () => {
    const { set, addPasskey, robin, db, call } = await setUp();
    await addPasskey();
    await set({ allowed_sign_ins: ["passkey"] });
    await robin.post("/v1/accounts/invites", { emails: ["new@moss.test"] });
    const { text } = (
      await sql<{ text: string }>`SELECT text FROM mails WHERE to_address = 'new@moss.test'`.execute(db)
    ).rows[0]!;
    const key = /\/join\/([\w-]+)/.exec(text)?.[1];
    const joined = await call("POST", `/v2/accounts/invites/${key}`, {
      body: { password: "a better horse 2", tnc_accepted: true },
    });
    expect(outcomeOf(joined)).toBe("403 SIGN_IN_NOT_ALLOWED");
    expect(await db.selectFrom("users").select("uuid").where("email", "=", "new@moss.test").execute()).toEqual([]);
  });
});

describe("the length of sessions", () => {
  it("ends them to the hour, for members only", async () => {
    const { set, kim, as, clock, robin } = await setUp();
    const stranger = await as();
    await set({ session_hours: 4 });
    await clock.advance(4 * HOUR_MS - 1);
    expect((await kim.get("/v1/sessions")).statusCode).toBe(200);
    await clock.advance(1);
    const outcomes = [
      await kim.get("/v1/sessions"),
      await robin.get("/v1/sessions"),
      await stranger.get("/v1/sessions"),
    ];
    expect(outcomes.map(({ statusCode }) => statusCode)).toEqual([401, 401, 200]);
  });

  it("ends those at once that are longer when it gets shorter, with what was opened in them", async () => {
    const { set, kim, clock, port, audited, as, organization, db } = await setUp({ listen: true });
    const socket = await connectSocket(port, kim, ["websocket"]);
    const [stranger, left] = [await as(), await as({ organization })];
    await left.post("/v1/users/signout");
    const others = stranger.user.organization_uuid;
    await db.updateTable("organizations").set({ session_hours: 1 }).where("uuid", "=", others).execute();
    await clock.advance(HOUR_MS);
    // Exactly as old as sessions may be, in a moment.
    await as({ organization });
    await clock.advance(HOUR_MS);
    const manager = await as({ organization, role: "manager" });
    expect((await set({ session_hours: 1, password: manager.user.password }, manager)).statusCode).toBe(200);
    await expect.poll(() => socket.socket.connected).toBe(false);
    expect((await kim.get("/v1/sessions")).statusCode).toBe(401);
    expect((await manager.get("/v1/sessions")).statusCode).toBe(200);
    expect((await audited()).find(({ action }) => action === "organization.set_sign_in_rules")?.details).toEqual({
      session_hours: 1,
      sessions: 3,
    });
  });

  it("is noted by the hourly work, and shows in the list of sessions before", async () => {
    const { set, as, organization, clock, db, audit, audited } = await setUp();
    await set({ session_hours: 4 });
    await clock.advance(3 * HOUR_MS);
    const sam = await as({ organization });
    const again = async () => (await sam.get("/v1/sessions")).json().sessions.length;
    await db.updateTable("sessions").set({ user_uuid: sam.user.uuid }).where("ended_at", "is", null).execute();
    expect(await again()).toBe(3);
    await clock.advance(HOUR_MS);
    expect(await again()).toBe(1);
    await endOldSessions.run({ db, clock, audit });
    expect((await audited()).filter(({ details }) => details["reason"] === "age")).toHaveLength(2);
    expect(await again()).toBe(1);
  });
});

describe("allowed origins", () => {
  it("let pages sign members in, also with a second factor, and do nothing else", async () => {
    const test = await setUp();
    const { set, login, kim, call, clock } = test;
    const headers = { origin: portal };
    await set({ allowed_origins: [portal] });
    const answer = await login(kim.user, headers);
    expect([answer.statusCode, answer.headers["access-control-allow-origin"]]).toEqual([200, portal]);
    expect(answer.headers["access-control-allow-credentials"]).toBeUndefined();
    const app = await setUpTotp(test, kim);
    await clock.advance(60_000);
    const { ticket } = (await login(kim.user, headers)).json().details;
    const confirm = (from: string) =>
      call("POST", "/v1/users/login/second-factor", {
        body: { ticket, method: "totp", code: app.code() },
        headers: { origin: from },
      });
    expect(outcomeOf(await confirm("https://evil.example"))).toBe("403 ORIGIN_NOT_ALLOWED");
    expect((await confirm(portal)).statusCode).toBe(200);
    for (const path of ["/v1/users", "/v1/users/password/request", "/v1/passkeys/options", "/v1/support"])
      expect([path, outcomeOf(await call("POST", path, { body: {}, headers }))]).toEqual([
        path,
        "403 ORIGIN_NOT_ALLOWED",
      ]);
  });

  it("are ours alone at first, and again when they are taken back", async () => {
    const { set, login, kim } = await setUp();
    const outcome = async () => outcomeOf(await login(kim.user, { origin: portal }));
    expect(await outcome()).toBe("403 ORIGIN_NOT_ALLOWED");
    await set({ allowed_origins: [portal] });
    expect(await outcome()).not.toContain("403");
    await set({ allowed_origins: [] });
    expect(await outcome()).toBe("403 ORIGIN_NOT_ALLOWED");
  });

  it("answer preflight requests of these pages, and of no others", async () => {
    const { set, app } = await setUp();
    await set({ allowed_origins: [portal] });
    const preflight = async (path: string, origin: string) => {
      const headers = { origin, "access-control-request-method": "POST" };
      return (await app.http.inject({ method: "OPTIONS", url: `/cloud${path}`, headers })).headers[
        "access-control-allow-origin"
      ];
    };
    expect(await preflight("/v1/users/login", portal)).toBe(portal);
    expect(await preflight("/v1/users/login", "https://evil.example")).toBeUndefined();
    expect(await preflight("/v1/users/password/request", portal)).toBeUndefined();
  });

  it("tell these pages nothing of anybody else: their accounts are unknown, with the right password too", async () => {
    const test = await setUp();
    const { set, login, as, call, clock } = test;
    const [stranger, guest] = [await as(), await as({ role: "guest" })];
    await set({ allowed_origins: [portal] });
    const headers = { origin: portal };
    for (const person of [stranger, guest]) {
      expect(outcomeOf(await login(person.user, headers))).toBe("401 BAD_USERNAME_PASSWORD");
      expect((await login(person.user)).statusCode).toBe(200);
    }
    // A ticket that was got elsewhere is no way around it.
    const app = await setUpTotp(test, stranger);
    await clock.advance(60_000);
    const { ticket } = (await login(stranger.user)).json().details;
    const body = { ticket, method: "totp", code: app.code() };
    expect(outcomeOf(await call("POST", "/v1/users/login/second-factor", { body, headers }))).toBe(
      "410 SECOND_FACTOR_EXPIRED",
    );
  });
});
