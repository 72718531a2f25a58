import { SignJWT } from "jose";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { anOrganization, aUser } from "../../testing/factories.ts";
import { findLiveCredentials } from "./credentials.ts";
import { sessionTokens } from "./session-tokens.ts";
import { endOldSessions, forgetOldSessions } from "./sessions.jobs.ts";
import { endSessionsBeyond, insertSession, noteRotation } from "./sessions.store.ts";

describe("a session", () => {
  it("is over at once after sign-out", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    expect((await robin.post("/v1/users/signout")).statusCode).toBe(204);
    const after = await robin.get("/v2/instances");
    expect([after.statusCode, after.json().code]).toEqual([401, "NOT_AUTHENTICATED"]);
  });

  it("gets a new token in the second half of a day, and none after it", async () => {
    const { as, clock, call } = await createTestApp();
    const robin = await as();
    expect((await robin.get("/v2/instances")).headers["x-renewed-token"]).toBeUndefined();
    await clock.advance(13 * 3_600_000);
    const renewed = (await robin.get("/v2/instances")).headers["x-renewed-token"];
    expect(renewed).toMatch(/^ey/);
    await clock.advance(12 * 3_600_000);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    expect(
      (await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${String(renewed)}` } })).statusCode,
    ).toBe(200);
  });

  it("is over after 30 days, however often its token was renewed", async () => {
    const { as, clock, db, audit } = await createTestApp();
    // Of members it is over to the millisecond, by the rule of their organization.
    const robin = await as({ role: "guest" });
    const almost = new Date(clock.now() - 30 * 24 * 3_600_000 + 1);
    await db.updateTable("sessions").set({ created_at: almost }).execute();
    await endOldSessions.run({ db, clock, audit });
    await clock.advance(1000);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    await endOldSessions.run({ db, clock, audit });
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
  });

  it("ends by its age once, which its own organization can read", async () => {
    const { as, clock, db, audit } = await createTestApp();
    const [robin, guest, kim] = [await as(), await as({ role: "guest" }), await as()];
    await robin.post("/v1/users/signout");
    await clock.advance(1000);
    const beganAgo = (days: number) => new Date(clock.now() - days * 24 * 3_600_000);
    await db
      .updateTable("sessions")
      .set({ created_at: beganAgo(31) })
      .execute();
    const ofKim = db.updateTable("sessions").where("user_uuid", "=", kim.user.uuid);
    await ofKim.set({ created_at: beganAgo(1) }).execute();
    await db.updateTable("organizations").set({ session_hours: 24 }).execute();
    await endOldSessions.run({ db, clock, audit });
    const rows = await db.selectFrom("sessions").select(["user_uuid", "ended_at"]).execute();
    expect(Object.fromEntries(rows.map((row) => [row.user_uuid, row.ended_at]))).toEqual({
      [guest.user.uuid]: new Date(clock.now()),
      [kim.user.uuid]: new Date(clock.now()),
      [robin.user.uuid]: new Date(clock.now() - 1000),
    });
    const ends = db.selectFrom("audit_records").select("organization_uuid").where("action", "=", "session.end");
    const organizations = await ends.where("actor_uuid", "is", null).execute();
    expect(new Set(organizations.map((record) => record.organization_uuid))).toEqual(
      new Set([null, kim.user.organization_uuid]),
    );
  });

  it("is the oldest of 300 that an account may have, and ends when another begins", async () => {
    const { as, call, clock, db, audited } = await createTestApp();
    const robin = await as();
    const { email, password, uuid: user_uuid } = robin.user;
    const created_at = new Date(clock.now() + 1);
    const rows = Array.from({ length: 299 }, () => ({ uuid: randomUUID(), user_uuid, created_at }));
    await db.insertInto("sessions").values(rows).execute();
    const kim = await as();
    await clock.advance(2);
    const signIn = () => call("POST", "/v1/users/login", { body: { email, password } });
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    const tokens = (await Promise.all([signIn(), signIn()])).map((login): string => login.json().token);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
    expect((await kim.get("/v2/instances")).statusCode).toBe(200);
    for (const token of tokens)
      expect((await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(
        200,
      );
    const live = db.selectFrom("sessions").where("user_uuid", "=", user_uuid).where("ended_at", "is", null);
    expect(await live.selectAll().execute()).toHaveLength(300);
    const ends = (await audited()).filter(({ action }) => action === "session.end");
    expect(ends.map(({ actor, details }) => [actor, details])).toEqual([
      [email, { reason: "limit" }],
      [email, { reason: "limit" }],
    ]);
  });

  it("begins after another of the same account that is being opened, so that neither overlooks the other", async () => {
    const { db } = await createTestApp();
    const { uuid } = await aUser(db);
    const { password_hash } = await db.selectFrom("users").select("password_hash").executeTakeFirstOrThrow();
    const open = (meanwhile?: Promise<void>) =>
      transaction(db, async (trx) => {
        await insertSession(
          trx,
          { uuid, password_hash },
          { created_at: new Date(), address: "192.0.2.1", user_agent: "", way: null, vouched_by: null },
        );
        await meanwhile;
        await endSessionsBeyond(trx, uuid, 1, new Date());
      });
    const { promise: meanwhile, resolve } = Promise.withResolvers<void>();
    const both = Promise.all([open(meanwhile), open(meanwhile)]);
    const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await expect.poll(async () => (await waiting.execute(db)).rows.length).toBe(1);
    resolve();
    await both;
    expect(await db.selectFrom("sessions").select("uuid").where("ended_at", "is", null).execute()).toHaveLength(1);
  });

  it.each([
    ["nothing", {}, 401],
    ["both kinds of token", { authorization: "Bearer x", "x-api-token": "y" }, 400],
    ["a token of nobody", { authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0." }, 401],
    ["an unknown API token", { "x-api-token": "tt_unknown" }, 401],
  ])("refuses %s", async (_, headers, status) => {
    const { call } = await createTestApp();
    expect(
      (await call("GET", "/v2/instances", { headers: headers as unknown as Record<string, string> })).statusCode,
    ).toBe(status);
  });

  it("is not kept in a cookie, nor read from one", async () => {
    const { as, call } = await createTestApp();
    const { user, token } = await as();
    const login = await call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
    expect([login.statusCode, login.headers["set-cookie"]]).toEqual([200, undefined]);
    const cookie = `token=${token}; authorization=Bearer ${token}; x-api-token=${token}`;
    expect((await call("GET", "/v2/instances", { headers: { cookie } })).statusCode).toBe(401);
  });

  it("keeps 500 characters of what a program says of itself", async () => {
    const { as, call, db } = await createTestApp();
    const { email, password } = (await as()).user;
    await call("POST", "/v1/users/login", { body: { email, password }, headers: { "user-agent": "x".repeat(501) } });
    const rows = await db.selectFrom("sessions").select("user_agent").execute();
    expect(rows.map(({ user_agent }) => user_agent)).toContain("x".repeat(500));
  });

  it("asks for the terms before anything but the account", async () => {
    const { as } = await createTestApp();
    const robin = await as({ fields: { tnc_accepted_at: null } });
    expect((await robin.get("/v2/instances")).json().code).toBe("TERMS_NOT_ACCEPTED");
    expect((await robin.get(`/v1/users/${robin.user.uuid}`)).statusCode).toBe(200);
    expect((await robin.post("/v1/users/terms-and-conditions")).json()).toMatchObject({ tnc_accepted: true });
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });

  it.each([
    ["the type of the token in small letters", (token: string) => ({ authorization: `bearer ${token}` }), 200],
    ["a token without its type", (token: string) => ({ authorization: token }), 401],
    ["a token that was changed", (token: string) => ({ authorization: `Bearer ${token.slice(0, -2)}` }), 401],
  ])("reads %s", async (_, headersOf, status) => {
    const { as, call } = await createTestApp();
    const { token } = await as();
    expect((await call("GET", "/v2/instances", { headers: headersOf(token) })).statusCode).toBe(status);
  });

  it("is its user's alone: a token of one session for another person is nobody's", async () => {
    const { as, call, db, clock } = await createTestApp();
    const [robin, kim] = [await as(), await as()];
    const tokens = sessionTokens(await secretFor(db, "session-tokens"), clock);
    const { uuid } = await db
      .selectFrom("sessions")
      .select("uuid")
      .where("user_uuid", "=", robin.user.uuid)
      .executeTakeFirstOrThrow();
    const get = async (user_uuid: string) => {
      const headers = { authorization: `Bearer ${await tokens.issue({ uuid, user_uuid })}` };
      return (await call("GET", "/v2/instances", { headers })).statusCode;
    };
    expect([await get(robin.user.uuid), await get(kim.user.uuid)]).toEqual([200, 401]);
  });

  it("takes no token with our signature that is for something else, or is longer than what is remembered", async () => {
    const { as, call, db, clock } = await createTestApp();
    const { user } = await as();
    const { uuid: sid } = await db.selectFrom("sessions").select("uuid").executeTakeFirstOrThrow();
    const secret = await secretFor(db, "session-tokens");
    const iat = clock.now() / 1000;
    const claims = { sid, gen: 0, sub: user.uuid, aud: "terrarium", iat, exp: iat + 60 };
    const get = async (more: object, alg = "HS256") => {
      const token = await new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg }).sign(secret);
      return (await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${token}` } })).statusCode;
    };
    const others = [get({ aud: "another" }), get({ pad: "x".repeat(1000) }), get({}, "HS512")];
    expect([await get({}), ...(await Promise.all(others))]).toEqual([200, 401, 401, 401]);
  });

  it("takes no token that another installation signed, or that is for the display of a device", async () => {
    const { as, call, db, clock } = await createTestApp();
    const robin = await as();
    const { uuid } = await db.selectFrom("sessions").select("uuid").executeTakeFirstOrThrow();
    const foreign = await sessionTokens(new Uint8Array(32), clock).issue({ uuid, user_uuid: robin.user.uuid });
    const display =
      (await robin.start()).statusCode === 201 && (await robin.post("/v1/instances/access-token", {})).json();
    for (const token of [foreign, display.access_token]) {
      const answer = await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${token}` } });
      expect([token.length > 100, answer.statusCode]).toEqual([true, 401]);
    }
  });

  it("ends alone: another of the same person goes on", async () => {
    const { as, call, db } = await createTestApp();
    const robin = await as();
    const login = { body: { email: robin.user.email, password: robin.user.password } };
    const { token } = (await call("POST", "/v1/users/login", login)).json();
    await robin.post("/v1/users/signout");
    const other = await call("GET", "/v2/instances", { headers: { authorization: `Bearer ${token}` } });
    expect(other.statusCode).toBe(200);
    const ended = await db.selectFrom("sessions").select("ended_at").where("ended_at", "is not", null).execute();
    expect(ended).toEqual([{ ended_at: new Date("2026-03-02T09:00:00Z") }]);
  });

  it("is forgotten 30 days after it ended", async () => {
    const { as, db, clock } = await createTestApp();
    await as();
    const robin = await as();
    await robin.post("/v1/users/signout");
    const left = async () => (await db.selectFrom("sessions").select("uuid").execute()).length;
    const days = (count: number) => new Date(clock.now() - count * 24 * 3_600_000);
    await db
      .updateTable("sessions")
      .set({ ended_at: days(30) })
      .where("ended_at", "is not", null)
      .execute();
    await forgetOldSessions.run({ db, clock });
    expect(await left()).toBe(2);
    await clock.advance(1);
    await forgetOldSessions.run({ db, clock });
    expect(await left()).toBe(1);
  });
});

describe("a renewed token", () => {
  const HALF_A_DAY_MS = 12 * 3_600_000;

  /** Somebody whose token has been renewed; the renewed one has not been used. */
  async function renewed() {
    const test = await createTestApp({ listen: true });
    const robin = await test.as();
    const get = (token: string) =>
      test.call("GET", "/v2/instances", { headers: { authorization: `Bearer ${token}` }, from: "192.0.2.7" });
    const statuses = async (...tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await get(token)).statusCode));
    test.clock.step(HALF_A_DAY_MS);
    const next = String((await get(robin.token)).headers["x-renewed-token"]);
    return { ...test, robin, get, statuses, next };
  }

  it("leaves the former one as it is until it is used, as the reply may have been lost", async () => {
    const { clock, robin, get, statuses } = await renewed();
    clock.step(HALF_A_DAY_MS - 1000);
    expect(await statuses(robin.token)).toEqual([200]);
    const again = String((await get(robin.token)).headers["x-renewed-token"]);
    clock.step(1000);
    expect(await statuses(robin.token, again)).toEqual([401, 200]);
  });

  it("leaves the former one a minute after its first use, for other tabs and requests on their way", async () => {
    const { clock, robin, statuses, next } = await renewed();
    expect(await statuses(next, robin.token, next)).toEqual([200, 200, 200]);
    clock.step(60_000);
    expect(await statuses(robin.token, next)).toEqual([200, 200]);
  });

  it("stays the newest in use, whichever of two requests is noted last", async () => {
    const { db, robin, clock } = await renewed();
    const { uuid } = await db
      .selectFrom("sessions")
      .select("uuid")
      .where("user_uuid", "=", robin.user.uuid)
      .executeTakeFirstOrThrow();
    for (const generation of [2, 1]) await noteRotation(db, uuid, generation, new Date(clock.now()));
    const noted = await db.selectFrom("sessions").select("generation").where("uuid", "=", uuid).execute();
    expect(noted).toEqual([{ generation: 2 }]);
  });

  it("ends the session when the former one is used after that, as one of the two is in wrong hands", async () => {
    const { as, clock, robin, statuses, next, port } = await renewed();
    const kim = await as();
    const [older, newer] = [await connectSocket(port, robin), await connectSocket(port, { token: next })];
    const cut = [older, newer].map(({ socket }) => new Promise((resolve) => socket.once("disconnect", resolve)));
    await statuses(next);
    clock.step(60_001);
    expect(await statuses(robin.token)).toEqual([401]);
    expect(await statuses(next, kim.token)).toEqual([401, 200]);
    expect(await Promise.all(cut)).toEqual(["io server disconnect", "io server disconnect"]);
  });

  // Without sockets, whose own check may be the one that finds it.
  it("is noted why, once, when that ended the session", async () => {
    const { clock, robin, statuses, next, audited } = await renewed();
    await statuses(next);
    clock.step(60_001);
    await statuses(robin.token, robin.token);
    const noted = async () =>
      (await audited()).map(({ action, outcome, actor, details }) => [action, outcome, actor, details]);
    const ends = (await noted()).filter(([action]) => action === "session.end");
    expect(ends).toEqual([["session.end", "done", "nobody", { reason: "reuse" }]]);
    // No reply waits for the records of refusals.
    const refused = expect.objectContaining({ reason: "reused" }) as object;
    await expect.poll(noted).toContainEqual(["credential.use", "refused", "nobody", refused]);
  });

  it("is the same session, so that what was opened with it goes on", async () => {
    const { robin, next, statuses, port, clock, db } = await renewed();
    const { socket } = await connectSocket(port, robin);
    expect(await statuses(next)).toEqual([200]);
    clock.step(120_000);
    expect(socket.connected).toBe(true);
    expect(await db.selectFrom("sessions").select("uuid").execute()).toHaveLength(1);
  });

  it("is sent to sessions alone, never for an API token", async () => {
    const { robin, call, clock } = await renewed();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    clock.step(HALF_A_DAY_MS);
    const answer = await call("GET", "/v2/instances", { headers: { "x-api-token": token } });
    expect([answer.statusCode, answer.headers["x-renewed-token"]]).toEqual([200, undefined]);
  });
});

describe("a check of credentials", () => {
  it("does not wait for slow lists", async () => {
    const { as, db } = await createTestApp();
    const robin = await as();
    await robin.get("/v2/instances");
    const lists: PromiseLike<unknown>[] = [];
    await db.transaction().execute(async (trx) => {
      await sql`LOCK TABLE instances IN ACCESS EXCLUSIVE MODE`.execute(trx);
      for (let page = 1; page <= 6; page++) {
        lists.push(robin.get(`/v2/instances?page=${page}`));
        expect((await robin.get(`/v1/users/${robin.user.uuid}`)).statusCode).toBe(200);
      }
    });
    await Promise.all(lists);
  });
});

describe("a change of rights in the database", () => {
  /** Somebody who has just been answered, by a session and by an API token, so that all that is kept of them is there. */
  async function known(role: "manager" | "user" = "user") {
    const { as, call, db } = await createTestApp();
    const robin = await as({ role });
    const { uuid, token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    await robin.start();
    const byToken = (path: string) => call("GET", path, { headers: { "x-api-token": token } });
    const both = async (path = "/v2/instances") => {
      const answers = await Promise.all([robin.get(path), byToken(path), robin.get(path), byToken(path)]);
      return answers.map((answer) => answer.json<{ code?: string; count?: number }>());
    };
    expect(await both()).toMatchObject([{ count: 1 }, { count: 1 }, { count: 1 }, { count: 1 }]);
    await both();
    return { db, robin, uuid, both };
  }
  const every = <Answer>(answer: Answer) => [answer, answer, answer, answer];
  const refused = { code: "NOT_AUTHENTICATED" };

  it("holds for the next call of a person who was disabled", async () => {
    const { db, robin, both } = await known();
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", robin.user.uuid).execute();
    expect(await both()).toMatchObject(every(refused));
  });

  it("holds for the next call with a session or an API token that ended", async () => {
    const { db, uuid, both } = await known();
    await db.updateTable("sessions").set({ ended_at: new Date() }).execute();
    expect(await both()).toMatchObject([refused, { count: 1 }, refused, { count: 1 }]);
    await db.deleteFrom("api_tokens").where("uuid", "=", uuid).execute();
    expect(await both()).toMatchObject(every(refused));
  });

  it("holds for the next call of a manager who is none any more, and of one who is one now", async () => {
    const { db, robin, both } = await known("manager");
    const kim = await aUser(db, { organization: robin.user.organization_uuid ?? "" });
    await db.updateTable("instances").set({ owner_uuid: kim.uuid }).execute();
    const wide = "/v2/instances?organization_wide=true";
    const manage = (is_organization_manager: boolean) =>
      db.updateTable("users").set({ is_organization_manager }).where("uuid", "=", robin.user.uuid).execute();
    expect(await both(wide)).toMatchObject(every({ count: 1 }));
    await manage(false);
    expect(await both(wide)).toMatchObject(every({ count: 0 }));
    await manage(true);
    expect(await both(wide)).toMatchObject(every({ count: 1 }));
  });

  it("holds for the next call of somebody whose organization is another now, or who must accept the terms", async () => {
    const { db, robin, both } = await known("manager");
    const wide = "/v2/instances?organization_wide=true";
    const set = (fields: object) => db.updateTable("users").set(fields).where("uuid", "=", robin.user.uuid).execute();
    await set({ organization_uuid: await anOrganization(db) });
    expect(await both(wide)).toMatchObject(every({ count: 0 }));
    await set({ tnc_accepted_at: null });
    expect(await both(wide)).toMatchObject(every({ code: "TERMS_NOT_ACCEPTED" }));
  });
});

describe("findLiveCredentials", () => {
  it("finds sessions and API tokens that are good, of people who are enabled", async () => {
    const { as, db, clock } = await createTestApp();
    const now = new Date(clock.now());
    const [robin, kim] = [await as(), await as()];
    const token = (await robin.post("/v1/api-tokens", { description: "ci" })).json().uuid;
    const sessions = await db.selectFrom("sessions").select(["uuid", "user_uuid"]).execute();
    const of = (user: { uuid: string }) => sessions.find(({ user_uuid }) => user_uuid === user.uuid)?.uuid ?? "";
    const all = [of(robin.user), of(kim.user), token, randomUUID()];
    const live = async () => [...(await findLiveCredentials(db, all, now))];
    expect(new Set(await live())).toEqual(new Set([of(robin.user), of(kim.user), token]));
    expect(await findLiveCredentials(db, [], now)).toEqual(new Set());
    await kim.post("/v1/users/signout");
    expect(new Set(await live())).toEqual(new Set([of(robin.user), token]));
    await db.updateTable("organizations").set({ session_hours: 1 }).execute();
    expect(await findLiveCredentials(db, all, new Date(clock.now() + 3_600_000))).toEqual(new Set([token]));
    await db.updateTable("users").set({ is_enabled: false }).execute();
    expect(await live()).toEqual([]);
  });
});
