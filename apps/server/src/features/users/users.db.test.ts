import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { aUser } from "../../testing/factories.ts";
import { endOldSessions } from "../sessions/sessions.jobs.ts";

describe("POST /v1/users/login", () => {
  it("answers a token and the user", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db, { role: "manager" });
    const answer = await call("POST", "/v1/users/login", {
      body: { email: ` ${user.email.toUpperCase()} `, password: user.password },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      token: expect.stringMatching(/^ey/),
      user: { uuid: user.uuid, is_organization_manager: true },
    });
    expect(answer.body).not.toContain("password");
  });

  it("refuses a wrong password and an unknown account alike", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db);
    const wrong = await call("POST", "/v1/users/login", { body: { email: user.email, password: "wrong password 1" } });
    const unknown = await call("POST", "/v1/users/login", {
      body: { email: "nobody@fernworks.test", password: "wrong password 1" },
    });
    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.json()).toMatchObject({ code: "BAD_USERNAME_PASSWORD" });
    }
  });

  it("refuses an account that is not enabled", async () => {
    const { db, call } = await createTestApp();
    const user = await aUser(db, { fields: { is_enabled: false } });
    const answer = await call("POST", "/v1/users/login", { body: { email: user.email, password: user.password } });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "USER_NOT_ENABLED"]);
  });

  it("refuses the eleventh try in a minute, whoever tries, and says when to come back", async () => {
    const { db, call, clock } = await createTestApp();
    const user = await aUser(db);
    const login = (password: string) => call("POST", "/v1/users/login", { body: { email: user.email, password } });
    for (let tries = 0; tries < 10; tries++) expect((await login("wrong password 1")).statusCode).toBe(401);
    const refused = await login(user.password);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "60"]);
    await clock.advance(60_000);
    expect((await login(user.password)).statusCode).toBe(200);
  });
});

describe("an address", () => {
  it("has 20 wrong tries in a minute, however often its own account signs in between", async () => {
    const { db, call } = await createTestApp();
    const own = await aUser(db);
    const login = (email: string, password: string) =>
      call("POST", "/v1/users/login", { body: { email, password } }).then(({ statusCode }) => statusCode);
    const wrong: number[] = [];
    for (let tries = 0; tries < 20; tries++) {
      wrong.push(await login(`victim-${tries}@fernworks.test`, "wrong password 1"));
      await login(own.email, own.password);
    }
    expect(new Set(wrong)).toEqual(new Set([401]));
    expect(await login("victim@fernworks.test", "wrong password 1")).toBe(429);
  });
});

describe("a session", () => {
  it("is over at once after sign-out", async () => {
    const { as } = await createTestApp();
    const robin = await as();
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    expect((await robin.post("/v1/users/signout")).statusCode).toBe(204);
    const after = await robin.get("/v2/instances");
    expect([after.statusCode, after.json().code]).toEqual([401, "NOT_AUTHENTICATED"]);
  });

  it("is over a second after the account is disabled", async () => {
    const { as, db, clock } = await createTestApp();
    const robin = await as();
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", robin.user.uuid).execute();
    await clock.advance(1000);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
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
    const { as, clock, db } = await createTestApp();
    const robin = await as();
    const almost = new Date(clock.now() - 30 * 24 * 3_600_000 + 1);
    await db.updateTable("sessions").set({ created_at: almost }).execute();
    await endOldSessions.run({ db, clock });
    await clock.advance(1000);
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
    await endOldSessions.run({ db, clock });
    await clock.advance(1000);
    expect((await robin.get("/v2/instances")).statusCode).toBe(401);
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

  it("asks for the terms before anything but the account", async () => {
    const { as } = await createTestApp();
    const robin = await as({ fields: { tnc_accepted_at: null } });
    expect((await robin.get("/v2/instances")).json().code).toBe("TERMS_NOT_ACCEPTED");
    expect((await robin.get(`/v1/users/${robin.user.uuid}`)).statusCode).toBe(200);
    expect((await robin.post("/v1/users/terms-and-conditions")).json()).toMatchObject({ tnc_accepted: true });
    expect((await robin.get("/v2/instances")).statusCode).toBe(200);
  });
});

describe("GET /v2/users", () => {
  it("pages through one's own organisation only", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager" });
    for (let count = 0; count < 6; count++) await aUser(db, { organization: robin.user.organization_uuid ?? "" });
    await aUser(db);
    const page = (await robin.get("/v2/users?page=1&page_size=5")).json();
    expect([page.count, page.results.length, page.previous]).toEqual([7, 5, null]);
    expect(
      (await robin.get(new URL(page.next).pathname.replace("/cloud", "") + new URL(page.next).search)).json().results,
    ).toHaveLength(2);
    expect((await robin.get("/v2/users?page_size=-1")).json().results).toHaveLength(7);
    expect((await robin.get("/v2/users?page_size=6000")).json().code).toBe("PAGE_TOO_LARGE");
  });

  it("sorts by several columns, each in its direction", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager", fields: { email: "m@fernworks.test", first_name: "Moss" } });
    const organization = robin.user.organization_uuid ?? "";
    for (const [first_name, name] of [
      ["Ash", "a"],
      ["Moss", "z"],
      ["Ash", "b"],
    ] as const)
      await aUser(db, { organization, fields: { first_name, email: `${name}@fernworks.test` } });
    const sorted = async (ordering: string) =>
      (await robin.get(`/v2/users?ordering=${ordering}`))
        .json()
        .results.map(({ email }: { email: string }) => email[0]);
    expect(await sorted("first_name,-email")).toEqual(["b", "a", "z", "m"]);
    expect(await sorted("-first_name,%2Bemail")).toEqual(["m", "z", "a", "b"]);
    expect(await sorted("created_at,email")).toEqual(["a", "b", "m", "z"]);
  });

  it("does not know people of other organisations", async () => {
    const { as, db } = await createTestApp();
    const robin = await as({ role: "manager" });
    const stranger = await aUser(db);
    const theirs = await robin.get(`/v1/users/${stranger.uuid}`);
    const nobodys = await robin.get("/v1/users/9b2f1f6e-7f4b-4c38-8b0a-0a4c0a6f2a11");
    expect([theirs.statusCode, theirs.json().code]).toEqual([404, "USER_NOT_FOUND"]);
    expect({ ...theirs.json(), request_id: "" }).toEqual({ ...nobodys.json(), request_id: "" });
  });

  it("is closed to guests", async () => {
    const { as } = await createTestApp();
    expect((await (await as({ role: "guest" })).get("/v2/users")).json().code).toBe("FORBIDDEN");
  });
});
