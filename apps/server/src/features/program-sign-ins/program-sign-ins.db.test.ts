import { limits } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { outcomeOf } from "../../testing/sharing.ts";
import { deleteOldProgramSignIns } from "./program-sign-ins.jobs.ts";

const path = "/v1/program-sign-ins";
const MINUTE_MS = 60_000;

interface Begun {
  device_code: string;
  user_code: string;
}

/** A program that asks, and Robin, who sees its code. */
async function create() {
  const test = await createTestApp({ publicUrl: "https://devices.example" });
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const ask = (body: object = { host: "laptop" }) => test.call("POST", path, { body });
  const begin = async () => (await ask()).json<Begun>();
  const finish = (device_code: string) => test.call("POST", `${path}/token`, { body: { device_code } });
  const decide = (code: string, decision = "approve", person = robin) =>
    person.post(`${path}/decision`, { code, decision });
  const tokens = async () => (await robin.get("/v1/api-tokens")).json<{ api_tokens: object[] }>().api_tokens;
  return { ...test, organization, robin, ask, begin, finish, decide, tokens };
}

describe("a program that asks for an API token", () => {
  it("gets one when the code that it shows is approved, once", async () => {
    const { ask, robin, finish, decide, tokens, call, audited } = await create();
    const begun = (await ask()).json();
    expect(begun).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: "https://devices.example/activate",
      verification_uri_complete: `https://devices.example/activate?code=${begun.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(outcomeOf(await finish(begun.device_code))).toBe("400 PROGRAM_SIGN_IN_PENDING");
    // However it is typed.
    const typed = begun.user_code.toLowerCase().replace("-", " ");
    expect((await robin.get(`${path}?code=${typed}`)).json()).toEqual({
      host: "laptop",
      scope: "devices",
      address: "127.0.0.1",
      created_at: "2026-03-02T09:00:00.000Z",
      expires_at: "2026-03-02T09:10:00.000Z",
    });
    expect((await decide(typed)).statusCode).toBe(204);
    const got = await finish(begun.device_code);
    expect([got.statusCode, got.json()]).toMatchObject([
      201,
      { description: "Command line on laptop", scope: "devices", expires_at: "2026-05-31T09:00:00.000Z" },
    ]);
    const headers = { "x-api-token": got.json().token };
    expect((await call("GET", "/v2/instances", { headers })).statusCode).toBe(200);
    expect(outcomeOf(await finish(begun.device_code))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect(outcomeOf(await robin.get(`${path}?code=${typed}`))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect(await tokens()).toHaveLength(1);
    const acts = (await audited()).filter(({ action }) => action.startsWith("api_token."));
    const who = robin.user.email;
    expect(acts.map(({ action, actor, details }) => [action, actor, details])).toEqual([
      ["api_token.approve", who, { host: "laptop", scope: "devices", address: "127.0.0.1" }],
      ["api_token.create", who, expect.objectContaining({ description: "Command line on laptop" })],
    ]);
  });

  it("is told that it was refused, once, and gets nothing", async () => {
    const { begin, finish, decide, tokens, audited } = await create();
    const { device_code, user_code } = await begin();
    expect((await decide(user_code, "refuse")).statusCode).toBe(204);
    expect(outcomeOf(await decide(user_code))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect(outcomeOf(await finish(device_code))).toBe("400 PROGRAM_SIGN_IN_REFUSED");
    expect(outcomeOf(await finish(device_code))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect(await tokens()).toEqual([]);
    expect((await audited()).map(({ action }) => action)).toContain("api_token.refuse");
  });

  it("is told to ask less often, each time by five seconds more", async () => {
    const { begin, finish, clock } = await create();
    const { device_code } = await begin();
    const outcomes: [number, string][] = [];
    for (const seconds of [0, 5, 4, 9, 14, 20]) {
      await clock.advance(seconds * 1000);
      outcomes.push([seconds, outcomeOf(await finish(device_code)).replace("400 PROGRAM_SIGN_IN_", "")]);
    }
    expect(outcomes).toEqual([
      [0, "PENDING"],
      [5, "PENDING"],
      [4, "SLOW_DOWN"],
      [9, "SLOW_DOWN"],
      [14, "SLOW_DOWN"],
      [20, "PENDING"],
    ]);
  });

  it("has ten minutes, and is then forgotten", async () => {
    const { begin, finish, decide, robin, clock, db } = await create();
    const [waiting, approved] = [await begin(), await begin()];
    await decide(approved.user_code);
    await clock.advance(10 * MINUTE_MS - 1);
    expect((await robin.get(`${path}?code=${waiting.user_code}`)).statusCode).toBe(200);
    await clock.advance(1);
    for (const answer of [
      await robin.get(`${path}?code=${waiting.user_code}`),
      await decide(waiting.user_code),
      await finish(waiting.device_code),
      await finish(approved.device_code),
    ])
      expect(outcomeOf(answer)).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    await begin();
    await deleteOldProgramSignIns.run({ db, clock });
    expect(await db.selectFrom("program_sign_ins").select("host").execute()).toHaveLength(1);
  });

  it("keeps no secret in the database", async () => {
    const { begin, db } = await create();
    const { device_code } = await begin();
    const [row] = await db.selectFrom("program_sign_ins").selectAll().execute();
    expect(JSON.stringify(row)).not.toContain(device_code);
    expect(row?.device_code_hash.toString("base64url")).not.toBe(device_code);
  });

  it("gets a name of its own on a machine that has one already", async () => {
    const { begin, finish, decide } = await create();
    const names = [];
    for (let round = 0; round < 3; round++) {
      const { device_code, user_code } = await begin();
      await decide(user_code);
      names.push((await finish(device_code)).json().description);
    }
    const name = "Command line on laptop";
    expect(names).toEqual([name, `${name} (2)`, `${name} (3)`]);
  });

  it.each([[{}], [{ host: "" }], [{ host: "x".repeat(65) }], [{ host: "a\u202Eb" }], [{ host: "a", scope: "all" }]])(
    "is refused the body %j",
    async (body) => {
      const { ask } = await create();
      expect(outcomeOf(await ask(body))).toBe("400 invalid_request");
    },
  );
});

describe("whoever approves a program", () => {
  it("is a person in a browser who may have API tokens", async () => {
    const { begin, decide, as, organization, call, robin, tokens, finish } = await create();
    const { device_code, user_code } = await begin();
    const guest = await as({ role: "guest" });
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const headers = { "x-api-token": token };
    const body = { code: user_code, decision: "approve" };
    const answers = [
      await guest.get(`${path}?code=${user_code}`),
      await decide(user_code, "approve", guest),
      await call("GET", `${path}?code=${user_code}`, { headers }),
      await call("POST", `${path}/decision`, { headers, body }),
    ];
    for (const answer of answers) expect(outcomeOf(answer)).toBe("403 FORBIDDEN");
    expect((await call("GET", `${path}?code=${user_code}`)).statusCode).toBe(401);
    const evil = { ...robin.headers, origin: "https://evil.example" };
    expect(outcomeOf(await call("POST", `${path}/decision`, { headers: evil, body }))).toBe("403 ORIGIN_NOT_ALLOWED");
    // Whoever sees the code first.
    const kim = await as({ organization });
    expect((await decide(user_code, "approve", kim)).statusCode).toBe(204);
    expect(outcomeOf(await decide(user_code))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect((await finish(device_code)).statusCode).toBe(201);
    expect(await tokens()).toHaveLength(1);
  });

  it.each([
    ["signed out", { sessions: true }, "400 PROGRAM_SIGN_IN_EXPIRED"],
    ["was disabled", { user: { is_enabled: false } }, "400 PROGRAM_SIGN_IN_EXPIRED"],
    ["left the organization", { user: { organization_uuid: null, is_organization_manager: false } }, "403 FORBIDDEN"],
    ["has yet to accept the terms", { user: { tnc_accepted_at: null } }, "403 TERMS_NOT_ACCEPTED"],
  ])("gives nothing who %s before it is fetched", async (_, { sessions, user }: Change, outcome) => {
    const { begin, finish, decide, db, robin, clock } = await create();
    const { device_code, user_code } = await begin();
    await decide(user_code);
    const { uuid } = robin.user;
    if (sessions)
      await db
        .updateTable("sessions")
        .set({ ended_at: new Date(clock.now()) })
        .where("user_uuid", "=", uuid)
        .execute();
    if (user) await db.updateTable("users").set(user).where("uuid", "=", uuid).execute();
    expect(outcomeOf(await finish(device_code))).toBe(outcome);
    expect(await db.selectFrom("api_tokens").select("uuid").execute()).toEqual([]);
  });

  it("is told that they have as many tokens as they may have, while they can revoke one", async () => {
    const { begin, finish, decide, robin, tokens } = await create();
    const made = [];
    for (let count = 0; count < limits.apiTokens; count++)
      made.push((await robin.post("/v1/api-tokens", { description: `token ${count}` })).json().uuid);
    const { device_code, user_code } = await begin();
    expect(outcomeOf(await decide(user_code))).toBe("403 TOO_MANY_API_TOKENS");
    await robin.delete(`/v1/api-tokens/${made[0]}`);
    expect((await decide(user_code)).statusCode).toBe(204);
    expect((await finish(device_code)).statusCode).toBe(201);
    expect(await tokens()).toHaveLength(limits.apiTokens);
  });

  it("tries 30 codes an hour", async () => {
    const { robin, begin, decide, clock } = await create();
    for (let tries = 0; tries < 30; tries++)
      expect(outcomeOf(await robin.get(`${path}?code=BBBB-BBBB`))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    const { user_code } = await begin();
    for (const answer of [await robin.get(`${path}?code=${user_code}`), await decide(user_code)])
      expect(outcomeOf(answer)).toBe("429 TOO_MANY_REQUESTS");
    await clock.advance(60 * MINUTE_MS);
    expect((await decide((await begin()).user_code)).statusCode).toBe(204);
  });
});

describe("an address", () => {
  it("begins 30 sign-ins in ten minutes, and guesses 60 secrets a minute", async () => {
    const { ask, begin, finish, clock } = await create();
    const { device_code } = await begin();
    for (let count = 1; count < 30; count++) expect((await ask()).statusCode).toBe(201);
    expect(outcomeOf(await ask())).toBe("429 TOO_MANY_REQUESTS");
    for (let guess = 0; guess < 60; guess++)
      expect(outcomeOf(await finish(`guess-${guess}`))).toBe("400 PROGRAM_SIGN_IN_EXPIRED");
    expect(outcomeOf(await finish("guess"))).toBe("429 TOO_MANY_REQUESTS");
    // That keeps nobody from what is theirs.
    expect(outcomeOf(await finish(device_code))).toBe("400 PROGRAM_SIGN_IN_PENDING");
    await clock.advance(10 * MINUTE_MS);
    expect((await ask()).statusCode).toBe(201);
  });
});

interface Change {
  sessions?: boolean;
  user?: { is_enabled?: boolean; organization_uuid?: null; is_organization_manager?: boolean; tnc_accepted_at?: null };
}
