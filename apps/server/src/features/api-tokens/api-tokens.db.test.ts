import { type ApiToken, limits, type Scope, socketPath } from "@terrarium/contract";
import { createHash, randomUUID } from "node:crypto";
import { io } from "socket.io-client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import type { Actor } from "../sessions/actor.ts";
import { findLiveCredentials } from "../sessions/credentials.ts";
import { signOutUser } from "../users/manage-user.ts";
import { createApiToken, creationsOfUser } from "./api-tokens.ts";

const path = "/v1/api-tokens";

async function signedIn({ listen = false } = {}) {
  const test = await createTestApp({ listen });
  const robin = await test.as();
  const create = async (description: string) =>
    (await robin.post(path, { description })).json<ApiToken & { token: string }>();
  const list = async () => (await robin.get(path)).json<{ api_tokens: ApiToken[] }>().api_tokens;
  const use = (token: string) => test.call("GET", "/v2/instances", { headers: { "x-api-token": token } });
  return { ...test, robin, create, list, use };
}

describe("POST /v1/api-tokens", () => {
  it("answers a token that signs its owner in", async () => {
    const { robin, use } = await signedIn();
    const answer = await robin.post(path, { description: "  ci  " });
    expect([answer.statusCode, answer.json()]).toEqual([
      201,
      {
        uuid: expect.any(String),
        description: "ci",
        prefix: answer.json().token.slice(0, 7),
        scope: "devices",
        created_at: "2026-03-02T09:00:00.000Z",
        expires_at: null,
        last_access: null,
        token: expect.stringMatching(/^tt_[\w-]{43}$/),
      },
    ]);
    expect((await use(answer.json().token)).statusCode).toBe(200);
  });

  it("creates 300 an hour for a user, and revokes any number", async () => {
    const { db, clock, as, robin, create } = await signedIn();
    const limiter = new DatabaseRateLimiter({ db, clock, secret: await secretFor(db, "attempts") });
    for (let count = 0; count < 299; count++) await limiter.take(creationsOfUser, robin.user.uuid);
    const { uuid } = await create("ci");
    const refused = await robin.post(path, { description: "one more" });
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
      429,
      "TOO_MANY_REQUESTS",
      "3600",
    ]);
    expect((await robin.delete(`${path}/${uuid}`)).statusCode).toBe(204);
    expect((await (await as()).post(path, { description: "ci" })).statusCode).toBe(201);
    await clock.advance(3_600_000);
    expect((await robin.post(path, { description: "one more" })).statusCode).toBe(201);
  });

  it("shows the secret this once, and keeps only its hash", async () => {
    const { db, robin, create } = await signedIn();
    const { token } = await create("ci");
    const rows = await db.selectFrom("api_tokens").selectAll().execute();
    expect(rows.map((row) => row.token_hash)).toEqual([createHash("sha256").update(token).digest()]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect((await robin.get(path)).body).not.toMatch(/token"|tt_[\w-]{5}|hash/);
  });

  it("refuses a description that one of the user's tokens has, and lets others have it", async () => {
    const { as, robin, create, list } = await signedIn();
    await create("ci");
    const again = await robin.post(path, { description: " ci" });
    expect([again.statusCode, again.json().code, again.json().message]).toEqual([
      409,
      "API_TOKEN_EXISTS",
      "An API Token with this description already exists.",
    ]);
    expect(await list()).toHaveLength(1);
    expect((await (await as()).post(path, { description: "ci" })).statusCode).toBe(201);
  });

  it("refuses the twenty-sixth token of a user, also when they are asked for at once, until one is revoked", async () => {
    const { as, robin, list } = await signedIn();
    const answers = await Promise.all(
      Array.from({ length: limits.apiTokens + 5 }, (_, number) => robin.post(path, { description: `token ${number}` })),
    );
    const codes = answers.map((answer) => (answer.statusCode === 201 ? "created" : answer.json().code));
    expect(codes.filter((code) => code === "created")).toHaveLength(25);
    expect(codes.filter((code) => code === "TOO_MANY_API_TOKENS")).toHaveLength(5);
    expect((await robin.post(path, { description: "one more" })).statusCode).toBe(403);
    expect((await (await as()).post(path, { description: "someone else's" })).statusCode).toBe(201);

    const [newest] = await list();
    await robin.delete(`${path}/${newest?.uuid}`);
    expect((await robin.post(path, { description: "one more" })).statusCode).toBe(201);
  });

  it("lets one of many equal calls at once succeed", async () => {
    const { robin } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 5 }, () => robin.post(path, { description: "ci" })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
  });

  it.each([
    [{}],
    [{ description: " " }],
    [{ description: "x".repeat(251) }],
    [{ description: 7 }],
    [{ description: "ci", scope: "all" }],
    [{ description: "ci", expires_at: "tomorrow" }],
  ])("refuses the body %j", async (body) => {
    const { robin } = await signedIn();
    expect((await robin.post(path, body)).json()).toMatchObject({ code: "invalid_request" });
  });

  it("is closed to guests", async () => {
    const { as } = await signedIn();
    const guest = await as({ role: "guest" });
    expect((await guest.post(path, { description: "ci" })).json().code).toBe("FORBIDDEN");
    expect((await guest.get(path)).json().code).toBe("FORBIDDEN");
  });
});

describe("createApiToken", () => {
  it("creates none for somebody who was signed out after the call was admitted", async () => {
    const { db, clock, audit, operator, robin, list } = await signedIn();
    const { uuid: session } = await db.selectFrom("sessions").select("uuid").executeTakeFirstOrThrow();
    const actor: Actor = {
      uuid: robin.user.uuid,
      organization: robin.user.organization_uuid,
      isManager: false,
      isOperator: false,
      hasAcceptedTerms: true,
      session,
      credential: session,
      scope: "admin",
    };
    const limiter = new DatabaseRateLimiter({ db, clock, secret: new Uint8Array(32) });
    const create = (description: string) =>
      createApiToken(
        { db, clock, audit, limiter },
        actor,
        { description, scope: "admin", expires_at: null },
        operator.by,
      );
    await create("before");
    expect(await list()).toHaveLength(1);
    await signOutUser(operator, robin.user.email, { sessions: true, tokens: true });
    await expect(create("after")).rejects.toMatchObject({ code: "NOT_AUTHENTICATED" });
    expect(await db.selectFrom("api_tokens").select("description").execute()).toEqual([]);
  });
});

describe("GET /v1/api-tokens", () => {
  it("lists one's own, the newest first, with the time of their last use", async () => {
    const { as, clock, create, list, use } = await signedIn();
    await (await as()).post(path, { description: "someone else's" });
    const { token } = await create("first");
    await clock.advance(1_000);
    const second = await create("second");
    await clock.advance(1_000);
    await use(token);
    expect(await list()).toEqual([
      {
        uuid: expect.any(String),
        description: "second",
        prefix: second.token.slice(0, 7),
        scope: "devices",
        created_at: "2026-03-02T09:00:01.000Z",
        expires_at: null,
        last_access: null,
      },
      {
        uuid: expect.any(String),
        description: "first",
        prefix: token.slice(0, 7),
        scope: "devices",
        created_at: "2026-03-02T09:00:00.000Z",
        expires_at: null,
        last_access: "2026-03-02T09:00:02.000Z",
      },
    ]);
  });

  it("notes a use once a minute", async () => {
    const { clock, create, list, use } = await signedIn();
    const { token } = await create("ci");
    const seen: unknown[] = [];
    for (const seconds of [0, 60, 1]) {
      await clock.advance(seconds * 1_000);
      await use(token);
      seen.push((await list())[0]?.last_access?.slice(11, 19));
    }
    expect(seen).toEqual(["09:00:00", "09:00:00", "09:01:01"]);
  });
});

describe("DELETE /v1/api-tokens/:uuid", () => {
  it("ends the token, and leaves the others", async () => {
    const { robin, create, list, use } = await signedIn();
    const [first, second] = [await create("first"), await create("second")];
    expect((await use(first.token)).statusCode).toBe(200);
    expect((await robin.delete(`${path}/${first.uuid}`)).statusCode).toBe(204);
    expect((await use(first.token)).json().code).toBe("NOT_AUTHENTICATED");
    expect((await use(second.token)).statusCode).toBe(200);
    expect((await list()).map(({ description }) => description)).toEqual(["second"]);
    expect((await robin.delete(`${path}/${first.uuid}`)).json().code).toBe("API_TOKEN_NOT_FOUND");
  });

  it("ends a token once, also when it is asked for twice at once", async () => {
    const { robin, create, audited } = await signedIn();
    const { uuid } = await create("ci");
    const answers = await Promise.all([robin.delete(`${path}/${uuid}`), robin.delete(`${path}/${uuid}`)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([204, 404]);
    expect((await audited()).filter(({ action }) => action === "api_token.revoke")).toHaveLength(1);
  });

  it("knows no token of somebody else, not even for their manager", async () => {
    const { as, db, use } = await signedIn();
    const organization = await anOrganization(db);
    const [owner, manager] = [await as({ organization }), await as({ organization, role: "manager" })];
    const { uuid, token } = (await owner.post(path, { description: "ci" })).json();
    const theirs = await manager.delete(`${path}/${uuid}`);
    const nobodys = await manager.delete(`${path}/${randomUUID()}`);
    expect([theirs.statusCode, theirs.json().code]).toEqual([404, "API_TOKEN_NOT_FOUND"]);
    expect({ ...theirs.json(), request_id: "" }).toEqual({ ...nobodys.json(), request_id: "" });
    expect((await use(token)).statusCode).toBe(200);
  });

  it("cuts the sockets that were opened with it", async () => {
    const { port, robin, create } = await signedIn({ listen: true });
    const { uuid, token } = await create("ci");
    const { closed } = await openSocket(port, token);
    await robin.delete(`${path}/${uuid}`);
    expect(await closed).toBe("io server disconnect");
  });
});

describe("the scope of an API token", () => {
  async function tokens() {
    const test = await signedIn();
    const { robin, call } = test;
    const make = async (scope: Scope) => {
      const { uuid, token } = (await robin.post(path, { description: scope, scope })).json();
      const ask = (method: "GET" | "POST" | "PUT" | "DELETE", to: string, body?: object) =>
        call(method, to, { headers: { "x-api-token": token }, ...(body ? { body } : {}) });
      return { uuid, ask };
    };
    return { ...test, read: await make("read"), devices: await make("devices"), admin: await make("admin") };
  }
  const profile = { name: "Mine", form_factor: "PHONE" };
  const notScoped = { code: "API_TOKEN_NOT_SCOPED" };

  it("lets everyone read", async () => {
    const { read, devices, admin } = await tokens();
    for (const { ask } of [read, devices, admin]) expect((await ask("GET", "/v2/instances")).statusCode).toBe(200);
  });

  it("of reading lets nothing be changed", async () => {
    const { read, devices } = await tokens();
    const start = `/v1/recipes/${randomUUID()}/start-disposable`;
    expect((await read.ask("POST", start, {})).json()).toMatchObject(notScoped);
    expect((await read.ask("POST", "/v1/hardware-profiles", profile)).json()).toMatchObject(notScoped);
    expect((await devices.ask("POST", start, {})).json()).not.toMatchObject(notScoped);
  });

  it("of devices does not reach the account", async () => {
    const { robin, devices, admin } = await tokens();
    const name = { first_name: "Other" };
    const refused = await devices.ask("PUT", `/v2/users/${robin.user.uuid}`, name);
    expect([refused.statusCode, refused.json().code]).toEqual([403, "API_TOKEN_NOT_SCOPED"]);
    expect((await admin.ask("PUT", `/v2/users/${robin.user.uuid}`, name)).statusCode).toBe(200);
  });

  it("must be the widest to create and revoke tokens, the token itself included", async () => {
    const { devices, admin, list } = await tokens();
    const answers = [
      await devices.ask("POST", path, { description: "more" }),
      await devices.ask("DELETE", `${path}/${admin.uuid}`),
      await devices.ask("DELETE", `${path}/${devices.uuid}`),
    ];
    for (const answer of answers) expect(answer.json()).toMatchObject(notScoped);
    expect((await admin.ask("POST", path, { description: "more" })).json()).toMatchObject({ scope: "devices" });
    expect((await admin.ask("DELETE", `${path}/${devices.uuid}`)).statusCode).toBe(204);
    expect((await list()).map(({ description }) => description).sort()).toEqual(["admin", "more", "read"]);
  });

  it("counts as it is now", async () => {
    const { db, admin } = await tokens();
    await db.updateTable("api_tokens").set({ scope: "read" }).execute();
    expect((await admin.ask("POST", path, { description: "more" })).json()).toMatchObject(notScoped);
    expect((await admin.ask("GET", "/v2/instances")).statusCode).toBe(200);
  });
});

describe("the expiry of an API token", () => {
  it("ends what it signs in, and leaves it in the list", async () => {
    const { db, clock, robin, use, list } = await signedIn();
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const { uuid, token } = (await robin.post(path, { description: "ci", expires_at })).json();
    const live = async () => [...(await findLiveCredentials(db, [uuid], new Date(clock.now())))];
    await clock.advance(59_999);
    expect([(await use(token)).statusCode, await live()]).toEqual([200, [uuid]]);
    await clock.advance(1);
    expect([(await use(token)).json().code, await live()]).toEqual(["NOT_AUTHENTICATED", []]);
    expect(await list()).toMatchObject([{ description: "ci", expires_at }]);
  });

  it("is to come", async () => {
    const { clock, robin, list } = await signedIn();
    const refused = await robin.post(path, { description: "ci", expires_at: new Date(clock.now()).toISOString() });
    expect([refused.statusCode, refused.json().code]).toEqual([400, "API_TOKEN_EXPIRY_PAST"]);
    expect(await list()).toEqual([]);
  });

  it("closes the sockets that were opened with it", async () => {
    const { clock, port, robin } = await signedIn({ listen: true });
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    const { token } = (await robin.post(path, { description: "ci", expires_at })).json();
    const { closed } = await openSocket(port, token);
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    // It is looked for every 30 s, and a look takes real time.
    await vi.waitFor(async () => {
      await clock.advance(30_000);
      expect(isClosed).toBe(true);
    }, 10_000);
    expect(await closed).toBe("io server disconnect");
  });
});

/** Resolves when it is open, with a promise of why it was closed. */
async function openSocket(port: number, api_token: string): Promise<{ closed: Promise<unknown> }> {
  const socket = io(`http://127.0.0.1:${port}`, {
    path: socketPath,
    query: { api_token },
    transports: ["websocket"],
    reconnection: false,
  });
  onTestFinished(() => void socket.disconnect());
  const closed = new Promise((resolve) => socket.once("disconnect", resolve));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return { closed };
}
