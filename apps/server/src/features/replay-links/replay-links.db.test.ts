import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { aCapture } from "../captures/testing/a-capture.ts";

const HOUR_MS = 60 * 60_000;

async function create() {
  const test = await createTestApp();
  const organization = await anOrganization(test.db);
  const robin = await test.as({ organization });
  const device = { instance_name: "payments-smoke" };
  const replay = await aCapture(test, robin, { device, kind: "replay", durationMs: 90_000, bytes: 7 });
  const path = `/v1/captures/${replay.uuid}/link`;
  const share = async (hours = 1) => (await robin.post(path, { hours })).json<{ key: string; expires_at: string }>();
  const open = (key: string) => test.call("GET", `/v1/replays/${key}`);
  /** As somebody sees who signs in then: a session is over before a link is. */
  const until = async () => {
    const { email, password } = robin.user;
    const { token } = (await test.call("POST", "/v1/users/login", { body: { email, password } })).json<{
      token: string;
    }>();
    const answer = await test.call("GET", path, { headers: { authorization: `Bearer ${token}` } });
    return answer.json<{ expires_at: string | null }>().expires_at;
  };
  return { ...test, organization, robin, replay, path, share, open, until };
}

describe("a link to a replay", () => {
  it.each([1, 24, 168])("is for whoever has it, for %d h, and shows nothing but the replay", async (hours) => {
    const { share, open, until, clock, replay } = await create();
    const { key, expires_at } = await share(hours);
    expect(expires_at).toBe(new Date(clock.now() + hours * HOUR_MS).toISOString());
    expect(key).toMatch(/^[\w-]{43}$/);
    const answer = await open(key);
    expect([answer.statusCode, answer.rawPayload, answer.headers["content-type"]]).toEqual([
      200,
      Buffer.alloc(7, 7),
      "video/mp4",
    ]);
    expect(JSON.stringify(answer.headers)).not.toContain(replay.instance_name);
    await clock.advance(hours * HOUR_MS - 1);
    expect([(await open(key)).statusCode, await until()]).toEqual([200, expires_at]);
    await clock.advance(1);
    expect([(await open(key)).json().code, await until()]).toEqual(["REPLAY_LINK_NOT_FOUND", null]);
  });

  it("is kept as a hash, and another takes its place", async () => {
    const { share, open, db } = await create();
    const first = await share();
    const second = await share(24);
    const rows = await db.selectFrom("replay_links").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(second.key);
    expect(rows[0]?.key_hash.toString("base64url")).not.toBe(second.key);
    expect([(await open(first.key)).statusCode, (await open(second.key)).statusCode]).toEqual([404, 200]);
  });

  it("ends when it is revoked, with the replay, and while its owner is disabled", async () => {
    const { share, open, robin, path, replay, db, audited } = await create();
    const { key } = await share();
    expect((await robin.delete(path)).statusCode).toBe(204);
    expect((await open(key)).statusCode).toBe(404);
    expect((await robin.delete(path)).statusCode).toBe(204);
    const acts = (await audited()).map(({ action }) => action).filter((action) => /share/.test(action));
    expect(acts).toEqual(["capture.share", "capture.unshare"]);

    const again = await share();
    const enable = (is_enabled: boolean) =>
      db.updateTable("users").set({ is_enabled }).where("uuid", "=", robin.user.uuid).execute();
    await enable(false);
    expect((await open(again.key)).statusCode).toBe(404);
    await enable(true);
    expect((await open(again.key)).statusCode).toBe(200);
    await robin.delete(`/v1/captures/${replay.uuid}`);
    expect((await open(again.key)).statusCode).toBe(404);
  });

  it("is made by whoever made the replay alone, and of replays alone", async () => {
    const { as, organization, path, robin, share, open, ...test } = await create();
    const kim = await as({ organization, role: "manager" });
    const { key } = await share();
    for (const answer of [await kim.post(path, { hours: 1 }), await kim.get(path), await kim.delete(path)])
      expect(answer.json().code).toBe("CAPTURE_NOT_FOUND");
    expect((await open(key)).statusCode).toBe(200);
    const { uuid } = await aCapture({ ...test }, robin, { kind: "recording", durationMs: 1 });
    expect((await robin.post(`/v1/captures/${uuid}/link`, { hours: 1 })).json().code).toBe("CAPTURE_NOT_FOUND");
    for (const hours of [0, 2, 1e9, "1", undefined])
      expect((await robin.post(path, { hours })).statusCode).toBeGreaterThanOrEqual(400);
  });

  it("is not guessed at, and not made in masses", async () => {
    const { open, robin, path } = await create();
    const answers = [];
    for (let guess = 0; guess <= 60; guess++) answers.push((await open(`guess-${guess}`)).statusCode);
    expect([answers.filter((status) => status === 404).length, answers.at(-1)]).toEqual([60, 429]);
    expect((await open("x".repeat(65))).statusCode).toBeGreaterThanOrEqual(400);
    for (let made = 0; made < 100; made++) await robin.post(path, { hours: 1 });
    expect((await robin.post(path, { hours: 1 })).statusCode).toBe(429);
  });
});
