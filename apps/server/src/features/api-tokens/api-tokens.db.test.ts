import { type ApiToken, limits, socketPath } from "@terrarium/contract";
import { createHash, randomUUID } from "node:crypto";
import { io } from "socket.io-client";
import { describe, expect, it, onTestFinished } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { secretFor } from "../../platform/secrets.ts";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import type { Actor } from "../sessions/actor.ts";
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
        created_at: "2026-03-02T09:00:00.000Z",
        last_access: null,
        can_manage_tokens: false,
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
    expect((await robin.get(path)).body).not.toMatch(/token"|tt_|hash/);
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

  it.each([[{}], [{ description: " " }], [{ description: "x".repeat(251) }], [{ description: 7 }]])(
    "refuses the body %j",
    async (body) => {
      const { robin } = await signedIn();
      expect((await robin.post(path, body)).json()).toMatchObject({ code: "invalid_request" });
    },
  );

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
      hasAcceptedTerms: true,
      session,
      credential: session,
    };
    const limiter = new DatabaseRateLimiter({ db, clock, secret: new Uint8Array(32) });
    const create = (description: string) =>
      createApiToken({ db, clock, audit, limiter }, actor, { description, can_manage_tokens: true }, operator.by);
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
    await create("second");
    await clock.advance(1_000);
    await use(token);
    expect(await list()).toEqual([
      {
        uuid: expect.any(String),
        description: "second",
        created_at: "2026-03-02T09:00:01.000Z",
        last_access: null,
        can_manage_tokens: false,
      },
      {
        uuid: expect.any(String),
        description: "first",
        created_at: "2026-03-02T09:00:00.000Z",
        last_access: "2026-03-02T09:00:02.000Z",
        can_manage_tokens: false,
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
    const socket = io(`http://127.0.0.1:${port}`, {
      path: socketPath,
      query: { api_token: token },
      transports: ["websocket"],
      reconnection: false,
    });
    onTestFinished(() => void socket.disconnect());
    const cut = new Promise((resolve) => socket.once("disconnect", resolve));
    await new Promise<void>((resolve) => socket.once("connect", resolve));
    await robin.delete(`${path}/${uuid}`);
    expect(await cut).toBe("io server disconnect");
  });
});

describe("an API token", () => {
  async function tokens() {
    const test = await signedIn();
    const { robin, call, create } = test;
    const byToken = (token: string) => ({
      create: (body: object) => call("POST", path, { headers: { "x-api-token": token }, body }),
      revoke: (uuid: string) => call("DELETE", `${path}/${uuid}`, { headers: { "x-api-token": token } }),
    });
    const scoped = (await robin.post(path, { description: "scoped", can_manage_tokens: true })).json<
      ApiToken & { token: string }
    >();
    return { ...test, byToken, plain: await create("plain"), scoped };
  }

  it("can neither create nor revoke tokens, itself included", async () => {
    const { byToken, plain, scoped, list } = await tokens();
    const { create, revoke } = byToken(plain.token);
    const answers = [
      await create({ description: "more" }),
      await create({ description: "more", can_manage_tokens: true }),
      await revoke(scoped.uuid),
      await revoke(plain.uuid),
      await revoke(randomUUID()),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json().code]).toEqual([403, "API_TOKEN_NOT_SCOPED"]);
    expect((await list()).map(({ description }) => description).sort()).toEqual(["plain", "scoped"]);
  });

  it("can if it was created for that", async () => {
    const { byToken, plain, scoped, list } = await tokens();
    const { create, revoke } = byToken(scoped.token);
    expect((await create({ description: "more" })).json()).toMatchObject({ can_manage_tokens: false });
    expect((await revoke(plain.uuid)).statusCode).toBe(204);
    const held = (await list()).map(({ description, can_manage_tokens }) => `${description} ${can_manage_tokens}`);
    expect(held.sort()).toEqual(["more false", "scoped true"]);
  });

  it("can no longer when its scope is taken away", async () => {
    const { db, byToken, scoped, use } = await tokens();
    await db.updateTable("api_tokens").set({ can_manage_tokens: false }).execute();
    expect((await byToken(scoped.token).create({ description: "more" })).json().code).toBe("API_TOKEN_NOT_SCOPED");
    expect((await use(scoped.token)).statusCode).toBe(200);
  });
});
