import { basePath } from "@terrarium/contract";
import { fakeRuntime } from "@terrarium/runtime/testing";
import { sql } from "kysely";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { displayHostOf } from "../displays.ts";
import { createLog } from "../platform/log.ts";
import { readSettings } from "../settings.ts";
import { createTestApp, KEEP_DEVICES_MS } from "../testing/app.ts";
import { startGateway } from "./gateway.ts";

/** Its devices never start, so viewers wait for the display. */
const slowRuntime = () => fakeRuntime({ name: "simulator", startMs: Infinity });

/** A service with a gateway, and a user with a device. */
async function setUp(runtime = slowRuntime()) {
  const test = await createTestApp({ listen: true });
  const { db, clock, url, port } = test;
  const log = createLog("silent", "test");
  const displays = await displayHostOf({ settings: readSettings({}), db, clock, log, onUse: () => undefined });
  const gateway = await startGateway({
    db,
    databaseUrl: url,
    clock,
    log,
    runtimes: [runtime],
    name: "one",
    host: "127.0.0.1",
    port: 0,
    address: undefined,
    keepDevicesMs: KEEP_DEVICES_MS,
    displays: () => displays,
  });
  onTestFinished(() => gateway.stop({ endDevices: false }));
  const robin = await test.as();
  const { uuid } = (await robin.start()).json<{ uuid: string }>();
  const holder = () => db.selectFrom("instances").select("lease_holder").executeTakeFirstOrThrow();
  await expect.poll(async () => (await holder()).lease_holder).toBe("one");

  /** Connects a viewer with the given credentials; `closed` resolves with the code of its WebSocket's close. */
  const watch = async (headers: Record<string, string>, token?: string, upgrade: Record<string, string> = {}) => {
    const asked = await test.call("POST", "/v1/instances/access-token", { headers, body: { instance_uuid: uuid } });
    const access = token ?? (asked.json<{ access_token?: string }>().access_token || "");
    const socket = new WebSocket(`ws://127.0.0.1:${port}${basePath}/instances/${uuid}/player`, { headers: upgrade });
    onTestFinished(() => socket.terminate());
    const closed = once(socket, "close").then(([code]) => code as number);
    await once(socket, "open");
    const before = [...displays.credentials()].length;
    socket.send(JSON.stringify({ type: "token", token: access }));
    return {
      access,
      closed,
      async admitted() {
        await expect.poll(() => [...displays.credentials()].length).toBeGreaterThan(before);
      },
    };
  };
  return { ...test, robin, watch, gateway };
}

it("a gateway ends while a runtime still looks for devices", async () => {
  const looking = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<never[]>();
  const runtime = Object.assign(slowRuntime(), {
    found: () => (looking.resolve(), closed.promise),
    close: async () => closed.resolve([]),
  });
  const { gateway, clock } = await setUp(runtime);
  await clock.advance(60_000);
  await looking.promise;
  await expect(gateway.stop({ endDevices: false })).resolves.toBeUndefined();
});

describe("a viewer", () => {
  it("is disconnected when its session is signed out, and its token is rejected from then on", async () => {
    const { robin, watch } = await setUp();
    const viewer = await watch(robin.headers);
    await viewer.admitted();
    await robin.post("/v1/users/signout");
    expect(await viewer.closed).toBe(4243);
    expect(await (await watch({}, viewer.access)).closed).toBe(4242);
  });

  it("is disconnected when its API token is revoked, while others stay connected", async () => {
    const { robin, watch } = await setUp();
    const made = await robin.post("/v1/api-tokens", { description: "ci" });
    const { uuid, token } = made.json<{ uuid: string; token: string }>();
    const own = await watch(robin.headers);
    await own.admitted();
    const tool = await watch({ "x-api-token": token });
    await tool.admitted();
    await robin.delete(`/v1/api-tokens/${uuid}`);
    expect(await tool.closed).toBe(4243);
    await robin.post("/v1/users/signout");
    expect(await own.closed).toBe(4243);
  });

  it("is admitted by its token, from any origin, and never by a cookie", async () => {
    const { robin, watch } = await setUp();
    const origin = "https://evil.test";
    const viewer = await watch(robin.headers, undefined, { origin });
    await viewer.admitted();
    const cookie = `token=${viewer.access}; access_token=${viewer.access}`;
    expect(await (await watch({}, "nonsense", { origin, cookie })).closed).toBe(4242);
  });

  it("whose token is refused is in the audit log, within the budget of its address", async () => {
    const { robin, watch, db, clock } = await setUp();
    const { uuid: instance } = await db.selectFrom("instances").select("uuid").executeTakeFirstOrThrow();
    const refused = () =>
      db.selectFrom("audit_records").selectAll().where("outcome", "=", "refused").orderBy("id").execute();
    expect(await (await watch({}, "nonsense")).closed).toBe(4242);
    await expect.poll(async () => (await refused()).length).toBe(1);
    const { access } = await watch(robin.headers);
    await clock.advance(301_000);
    expect(await (await watch({}, access)).closed).toBe(4243);
    await expect.poll(async () => (await refused()).length).toBe(2);
    const about = { action: "credential.use", actor_kind: "nobody", address: "127.0.0.1" };
    expect(await refused()).toMatchObject([
      { ...about, details: { credential: "display", reason: "wrong", instance } },
      { ...about, details: { credential: "display", reason: "expired", instance } },
    ]);
    await Promise.all(Array.from({ length: 20 }, async () => (await watch({}, "nonsense")).closed));
    await expect.poll(async () => (await refused()).length).toBe(16);
  });

  it("gets code 4244 when the device has ended", async () => {
    const { robin, watch, db } = await setUp();
    const viewer = await watch(robin.headers);
    await viewer.admitted();
    const { uuid } = await db.selectFrom("instances").select("uuid").executeTakeFirstOrThrow();
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    expect(await viewer.closed).toBe(4244);
    expect(await (await watch({}, viewer.access)).closed).toBe(4244);
  });

  it("is disconnected as soon as its user is disabled in the database", async () => {
    const { robin, watch, db } = await setUp();
    const viewer = await watch(robin.headers);
    await viewer.admitted();
    await db.updateTable("users").set({ is_enabled: false }).execute();
    expect(await viewer.closed).toBe(4243);
  });

  it("is disconnected within 30 s after its user is disabled if the notification was lost", async () => {
    const { robin, watch, db, clock } = await setUp();
    // Viewers do not wait for a display that long, so connect late.
    await clock.advance(20_000);
    const viewer = await watch(robin.headers);
    await viewer.admitted();
    await sql`ALTER TABLE users DISABLE TRIGGER user_disabled`.execute(db);
    await db.updateTable("users").set({ is_enabled: false }).execute();
    await clock.advance(10_000);
    expect(await viewer.closed).toBe(4243);
  });

  it("that came by a link is disconnected when that ends, and others are not", async () => {
    const { robin, watch, call, db, clock } = await setUp();
    const { uuid: device } = await db.selectFrom("instances").select("uuid").executeTakeFirstOrThrow();
    const path = `/v1/instances/${device}/embed-links`;
    const byLink = async () => {
      const { uuid, url } = (await robin.post(path, { hours: 1 })).json<{ uuid: string; url: string }>();
      const opened = await call("POST", "/v1/embed-links/open", { body: { key: url.split("/").at(-1) } });
      const viewer = await watch({}, opened.json<{ access_token: string }>().access_token);
      await viewer.admitted();
      return { uuid, closed: viewer.closed };
    };
    // As above: the next look is in ten seconds.
    await clock.advance(20_000);
    const [ended, late, other] = [await byLink(), await byLink(), await byLink()];
    await robin.delete(`${path}/${ended.uuid}`);
    expect(await ended.closed).toBe(4243);
    const expires_at = new Date(clock.now() + 5_000);
    await db.updateTable("embed_links").set({ expires_at }).where("uuid", "=", late.uuid).execute();
    await clock.advance(10_000);
    expect(await late.closed).toBe(4243);
    await robin.post(`/v1/instances/${device}/stop-disposable`);
    expect(await other.closed).toBe(4244);
  });

  it("does not delay the stop of the server that proxies it", async () => {
    const { robin, watch, app } = await setUp();
    const viewer = await watch(robin.headers);
    await viewer.admitted();
    await app.stop();
    expect(await viewer.closed).toBe(1006);
  });
});
