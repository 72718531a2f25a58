import { randomUUID } from "node:crypto";
import type { SignInSession } from "@terrarium/contract";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { connectSocket } from "../../testing/connect-socket.ts";
import { createTestDatabase } from "../../testing/database.ts";
import type { Actor } from "./actor.ts";
import { hasSignedInWithin } from "./own-sessions.ts";
import { noteSessionUse } from "./sessions.store.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; rv:147.0) Gecko/20100101 Firefox/147.0";

/** Robin, who has signed in here, and with Firefox from another address an hour later. */
async function twice(test: TestApp) {
  const robin = await test.as();
  await test.clock.advance(3_600_000);
  const { email, password } = robin.user;
  const login = await test.call("POST", "/v1/users/login", {
    body: { email, password },
    headers: { "user-agent": FIREFOX },
    from: "192.0.2.7",
  });
  const token: string = login.json().token;
  const headers = { authorization: `Bearer ${token}` };
  const there = {
    token,
    status: async () => (await test.call("GET", "/v2/instances", { headers, from: "192.0.2.7" })).statusCode,
  };
  const list = async () => (await robin.get("/v1/sessions")).json<{ sessions: SignInSession[] }>().sessions;
  return { robin, there, list };
}

describe("GET /v1/sessions", () => {
  it("shows where one is signed in, the place used last first", async () => {
    const test = await createTestApp();
    const { list } = await twice(test);
    await test.clock.advance(30_000);
    expect(await list()).toEqual([
      {
        uuid: expect.any(String),
        is_current: true,
        device: "lightMyRequest",
        address: "127.0.0.1",
        created_at: "2026-03-02T09:00:00.000Z",
        last_used_at: "2026-03-02T10:00:30.000Z",
      },
      {
        uuid: expect.any(String),
        is_current: false,
        device: "Firefox on Windows",
        address: "192.0.2.7",
        created_at: "2026-03-02T10:00:00.000Z",
        last_used_at: "2026-03-02T10:00:00.000Z",
      },
    ]);
  });

  it("tells the last use to the minute, with the address that it came from", async () => {
    const test = await createTestApp();
    const { robin, list } = await twice(test);
    const use = async (from: string) => test.call("GET", "/v2/instances", { headers: robin.headers, from });
    const lastUse = async () => {
      const { last_used_at, address } = (await list()).find(({ is_current }) => is_current) ?? {};
      return [last_used_at, address];
    };
    await use("192.0.2.8");
    await test.clock.advance(60_000);
    await use("192.0.2.9");
    expect(await lastUse()).toEqual(["2026-03-02T10:00:00.000Z", "192.0.2.8"]);
    await test.clock.advance(1);
    await use("192.0.2.9");
    expect(await lastUse()).toEqual(["2026-03-02T10:01:00.001Z", "192.0.2.9"]);
    // Of two that found it old at the same moment, the first is written.
    const { uuid = "" } = (await list()).find(({ is_current }) => is_current) ?? {};
    const [before, now] = [new Date(test.clock.now()), new Date(test.clock.now() + 60_000)];
    await noteSessionUse(test.db, uuid, { address: "192.0.2.10", now, before });
    expect(await lastUse()).toEqual(["2026-03-02T10:01:00.001Z", "192.0.2.9"]);
  });

  it("shows no sessions that have ended, nor anybody else's", async () => {
    const test = await createTestApp();
    const { robin, list } = await twice(test);
    await test.as({ organization: robin.user.organization_uuid ?? "", role: "manager" });
    await test.db.updateTable("sessions").set({ ended_at: new Date() }).where("address", "=", "192.0.2.7").execute();
    expect((await list()).map(({ is_current }) => is_current)).toEqual([true]);
  });
});

it("shows no place whose token has ended, as nobody has used it for a day", async () => {
  const test = await createTestApp();
  const { list } = await twice(test);
  const usedAgo = (ms: number) =>
    test.db
      .updateTable("sessions")
      .set({ last_used_at: new Date(test.clock.now() - ms) })
      .where("address", "=", "192.0.2.7")
      .execute();
  await usedAgo(24 * 3_600_000 - 1);
  expect(await list()).toHaveLength(2);
  await usedAgo(24 * 3_600_000);
  expect(await list()).toHaveLength(1);
});

it("proves who somebody is while it is new and has not ended", async () => {
  const test = await createTestApp();
  await test.as();
  const { uuid: session } = await test.db.selectFrom("sessions").select("uuid").executeTakeFirstOrThrow();
  const isWithin = (ms: number) => hasSignedInWithin(test, { session } as Actor, ms);
  await test.clock.advance(1000);
  await test.as();
  expect([await isWithin(1001), await isWithin(1000)]).toEqual([true, false]);
  await test.db.updateTable("sessions").set({ ended_at: new Date() }).where("uuid", "=", session).execute();
  expect(await isWithin(1001)).toBe(false);
});

describe("DELETE /v1/sessions", () => {
  it("signs out in one place within a second, on every server: calls and sockets", async () => {
    const database = await createTestDatabase();
    const [here, elsewhere] = [
      await createTestApp({ database, listen: true }),
      await createTestApp({ database, listen: true }),
    ];
    const { robin, there, list } = await twice(here);
    const sockets = await Promise.all([connectSocket(here.port, there), connectSocket(elsewhere.port, there)]);
    const mine = await connectSocket(elsewhere.port, robin);
    const cut = Promise.all(sockets.map(({ socket }) => new Promise((resolve) => socket.once("disconnect", resolve))));
    const uuid = (await list()).find(({ is_current }) => !is_current)?.uuid ?? "";
    const before = performance.now();
    expect((await robin.delete(`/v1/sessions/${uuid}`)).statusCode).toBe(204);
    expect(await cut).toEqual(["io server disconnect", "io server disconnect"]);
    expect(performance.now() - before).toBeLessThan(1000);
    const headers = { authorization: `Bearer ${there.token}` };
    expect((await elsewhere.call("GET", "/v2/instances", { headers })).statusCode).toBe(401);
    expect(mine.socket.connected).toBe(true);
    expect((await list()).length).toBe(1);
    const [record] = (await here.audited()).filter(({ action }) => action === "session.end");
    expect(record).toMatchObject({ outcome: "done", actor: robin.user.email, subject: `session ${uuid}` });
  });

  it("signs out everywhere but here", async () => {
    const test = await createTestApp();
    const { robin, there, list } = await twice(test);
    const kim = await test.as();
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci" })).json();
    for (let times = 0; times < 2; times++) expect((await robin.delete("/v1/sessions")).statusCode).toBe(204);
    expect([await there.status(), (await list()).length]).toEqual([401, 1]);
    expect((await kim.get("/v2/instances")).statusCode).toBe(200);
    expect((await test.call("GET", "/v2/instances", { headers: { "x-api-token": token } })).statusCode).toBe(200);
    const records = (await test.audited()).filter(({ action }) => action === "user.sign_out");
    expect(records.map(({ details }) => details)).toEqual([{ sessions: 1, tokens: 0 }]);
  });

  it("knows only one's own sessions that have not ended", async () => {
    const test = await createTestApp();
    const { robin, there } = await twice(test);
    const manager = await test.as({ organization: robin.user.organization_uuid ?? "", role: "manager" });
    const rows = await test.db.selectFrom("sessions").select("uuid").where("address", "=", "192.0.2.7").execute();
    const uuid = rows[0]?.uuid ?? "";
    const end = async (person: typeof robin, which: string) => {
      const answer = await person.delete(`/v1/sessions/${which}`);
      return [answer.statusCode, answer.statusCode === 204 ? undefined : answer.json().code];
    };
    const unknown = [404, "SESSION_NOT_FOUND"];
    expect(await end(manager, uuid)).toEqual(unknown);
    expect(await there.status()).toBe(200);
    expect(await end(robin, randomUUID())).toEqual(unknown);
    expect(await end(robin, uuid)).toEqual([204, undefined]);
    expect(await end(robin, uuid)).toEqual(unknown);
  });

  it("is not for programs with an API token, nor is the list", async () => {
    const test = await createTestApp();
    const { robin, list } = await twice(test);
    const { token } = (await robin.post("/v1/api-tokens", { description: "ci", scope: "admin" })).json();
    const headers = { "x-api-token": token };
    const uuid = (await list())[0]?.uuid ?? "";
    const answers = [
      await test.call("GET", "/v1/sessions", { headers }),
      await test.call("DELETE", "/v1/sessions", { headers }),
      await test.call("DELETE", `/v1/sessions/${uuid}`, { headers }),
    ];
    expect(answers.map((answer) => answer.json().code)).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
    expect((await list()).length).toBe(2);
  });
});
