import type { PublicSettings } from "@terrarium/contract";
import { expect, describe, it } from "vitest";
import { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { createTestApp } from "../../testing/app.ts";
import { aGateway, aRuntime } from "../../testing/gateway.ts";
import { aFoundDevice, foundDevice } from "../../testing/operator.ts";
import { byService } from "../audit/by.ts";
import { accessTokens } from "../instances/access-tokens.ts";
import { upsertGateway } from "../instances/gateways.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { offerDevice } from "../operator/offer.ts";
import { showcaseAccess } from "./showcase-access.ts";
import { superviseShowcase } from "./showcase.jobs.ts";
import { showcaseOwner } from "./showcase-owner.ts";
import { findShowcase, type Showcase } from "./showcase.ts";
import { showcaseTickets, TICKET_MS } from "./showcase-tickets.ts";

const secret = new Uint8Array(32).fill(7);
const runtimes = new Set(["simulator"]);

async function open({ isOn = true } = {}) {
  const database = await createTestApp();
  const shown = await findShowcase(database.db, undefined, runtimes);
  if (!shown) throw new Error("there is no official phone");
  const app = await createTestApp({
    database: { ...database, drop: async () => undefined },
    ...(isOn ? { showcase: shown } : {}),
  });
  const { db, clock, audit } = app;
  const limiter = new DatabaseRateLimiter({ db, clock, secret });
  const keep = async (showcase: Showcase | undefined = shown) =>
    superviseShowcase({ db, clock, audit, runtimes, limiter, showcase }).run({});
  const devices = () =>
    db.selectFrom("instances").select(["uuid", "state", "reason"]).where("owner_uuid", "=", showcaseOwner).execute();
  const move = async (event: "powered" | "answered" | "booted" | "stop" | "stopped" | "deleted" | "fail") =>
    moveInstance(db, { uuid: (await devices()).at(-1)?.uuid ?? "", event, now: new Date(clock.now()) });
  return {
    ...app,
    shown,
    keep,
    devices,
    move,
    ask: (from?: string) => app.call("POST", "/v1/showcase", from ? { from } : {}),
    async online() {
      await keep();
      for (const event of ["powered", "answered", "booted"] as const) await move(event);
      return (await devices())[0]?.uuid ?? "";
    },
  };
}

describe("the device that the home page shows", () => {
  it("is one, started as any other is, which runs without limits of time", async () => {
    const { db, keep, devices } = await open();
    await Promise.all([keep(), keep(), keep()]);
    await keep();
    expect(await devices()).toMatchObject([{ state: "CREATING" }]);
    const times = db.selectFrom("instances").select(["timeout_inactivity", "timeout_global", "name"]);
    expect(await times.execute()).toEqual([{ timeout_inactivity: 0, timeout_global: 0, name: "Showcase" }]);
  });

  it("is started again when it has ended, and a minute after it has failed", async () => {
    const { clock, keep, devices, move, online } = await open();
    await online();
    for (const event of ["stop", "stopped", "deleted"] as const) await move(event);
    await keep();
    expect((await devices()).map(({ state }) => state)).toEqual(["DELETED", "CREATING"]);
    await move("fail");
    await clock.advance(59_000);
    await keep();
    expect(await devices()).toHaveLength(2);
    await clock.advance(1_000);
    await keep();
    expect((await devices()).map(({ state }) => state)).toEqual(["DELETED", "ERROR", "CREATING"]);
  });

  it("is tried again a minute after it was refused", async () => {
    const { db, clock, audit, shown, devices } = await open();
    const limiter = new DatabaseRateLimiter({ db, clock, secret });
    const available = new Set<string>();
    const { run } = superviseShowcase({ db, clock, audit, runtimes: available, limiter, showcase: shown });
    await expect(run({})).rejects.toMatchObject({ code: "RUNTIME_NOT_CONFIGURED" });
    available.add("simulator");
    await clock.advance(59_000);
    await run({});
    expect(await devices()).toEqual([]);
    await clock.advance(1_000);
    await run({});
    expect(await devices()).toMatchObject([{ state: "CREATING" }]);
  });

  it("runs where gateways are, also if they came later", async () => {
    const { db, keep, move, online } = await open();
    await online();
    for (const event of ["stop", "stopped", "deleted"] as const) await move(event);
    await upsertGateway(db, "here", "127.0.0.1:1", ["north america"]);
    await keep();
    const zones = db.selectFrom("instances").select("zone").orderBy("created_at");
    expect((await zones.execute()).map(({ zone }) => zone)).toEqual(["europe", "north america"]);
  });

  it("leaves no history for longer than an hour", async () => {
    const { clock, keep, devices, move, online } = await open();
    await online();
    for (const event of ["stop", "stopped", "deleted"] as const) await move(event);
    await clock.advance(60 * 60_000 + 1);
    await keep();
    expect((await devices()).map(({ state }) => state)).toEqual(["CREATING"]);
  });

  it("ends where the setting is off, or asks for another recipe", async () => {
    const { db, clock, audit, shown, keep, devices, online } = await open();
    await online();
    await superviseShowcase({ db, clock, audit, runtimes, limiter: {} as never }).run({});
    expect(await devices()).toMatchObject([{ state: "STOPPING", reason: "showcase_changed" }]);
    await db.updateTable("instances").set({ state: "ONLINE" }).execute();
    await keep({ ...shown, recipe: "00000000-0000-4000-8000-000000000000" });
    expect((await devices())[0]).toMatchObject({ state: "STOPPING", reason: "showcase_changed" });
  });

  it("belongs to an account to which nobody can sign in, and that nobody else sees", async () => {
    const { db, as, keep } = await open();
    await keep();
    const owner = await db.selectFrom("users").selectAll().where("uuid", "=", showcaseOwner).executeTakeFirstOrThrow();
    expect(owner).toMatchObject({ is_enabled: false, is_validated: false, password_hash: null });
    const robin = await as({ role: "manager" });
    expect((await robin.get("/v2/instances?organization_wide=true")).json()).toMatchObject({ count: 0 });
  });

  it("is made and online with a gateway", async () => {
    const test = await open();
    await test.keep();
    const gateway = await aGateway(test, aRuntime().runtime);
    await expect.poll(async () => (await test.devices())[0]?.state).toBe("ONLINE");
    expect((await test.ask()).statusCode).toBe(200);
    await gateway.end();
  });
});

describe("finding what is to be shown", () => {
  it("takes an official recipe by its name or uuid, and the first phone without either", async () => {
    const { db, as } = await createTestApp();
    const first = await findShowcase(db, undefined, runtimes);
    const form: PublicSettings["showcase"] = {
      form_factor: "PHONE",
      display_mode: "REGULAR",
      display_settings: { displays: [expect.any(Object)], hw_navigation_keys: false },
    } as never;
    expect(first?.form).toEqual(form);
    expect(await findShowcase(db, first?.recipe, runtimes)).toEqual(first);
    const { name } = await db
      .selectFrom("recipes")
      .select("name")
      .where("uuid", "=", first?.recipe ?? "")
      .executeTakeFirstOrThrow();
    expect((await findShowcase(db, name, runtimes))?.form).toEqual(form);
    expect(await findShowcase(db, undefined, new Set(["other"]))).toBeUndefined();

    const robin = await as();
    const uuids = await db.selectFrom("recipes").select(["os_image_uuid", "hardware_profile_uuid"]).limit(1).execute();
    const made = await robin.post("/v1/recipes", {
      name: "Robin's own",
      os_image_uuid: uuids[0]?.os_image_uuid,
      hardware_profile_uuid: uuids[0]?.hardware_profile_uuid,
    });
    expect(made.statusCode).toBe(201);
    await expect(findShowcase(db, "Robin's own", runtimes)).rejects.toThrow("there is no official recipe Robin's own");
  });

  it("takes no phone that lies on somebody's desk, unless it is named", async () => {
    const { db, clock, audit } = await createTestApp();
    const first = await findShowcase(db, undefined, runtimes);
    await aFoundDevice(db);
    const { uuid } = await offerDevice({ db, clock, audit }, foundDevice, byService);
    // It is the first one of its own file.
    await db.updateTable("recipes").set({ position: -1 }).where("uuid", "=", uuid).execute();
    const all = new Set(["simulator", "adb-pool"]);
    expect(await findShowcase(db, undefined, all)).toEqual(first);
    expect((await findShowcase(db, uuid, all))?.recipe).toBe(uuid);
  });
});

describe("POST /v1/showcase", () => {
  it("says where the device is, with a ticket for a minute", async () => {
    const { clock, online, ask } = await open();
    const uuid = await online();
    const reply = await ask();
    expect(reply.json()).toEqual({
      url: `ws://localhost:80/cloud/instances/${uuid}/showcase`,
      access_token: expect.any(String),
      expires_at: new Date(clock.now() + TICKET_MS).toISOString(),
    });
  });

  it("is not there where the operator shows no device", async () => {
    const { online, ask } = await open({ isOn: false });
    await online();
    expect([(await ask()).statusCode, (await ask()).json().code]).toEqual([404, "ROUTE_NOT_FOUND"]);
  });

  it("asks to come back while the device starts", async () => {
    const { keep, ask } = await open();
    await keep();
    expect((await ask()).json()).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  it("answers an address 40 times within ten minutes, and others still", async () => {
    const { clock, online, ask } = await open();
    await online();
    for (let count = 0; count < 40; count++) expect((await ask("203.0.113.7")).statusCode).toBe(200);
    expect((await ask("203.0.113.7")).statusCode).toBe(429);
    expect((await ask("203.0.113.8")).statusCode).toBe(200);
    await clock.advance(10 * 60_000);
    expect((await ask("203.0.113.7")).statusCode).toBe(200);
  });

  it("counts nobody who waits for the device", async () => {
    const { keep, move, ask } = await open();
    await keep();
    for (let count = 0; count < 60; count++) expect((await ask("203.0.113.7")).statusCode).toBe(503);
    for (const event of ["powered", "answered", "booted"] as const) await move(event);
    for (let count = 0; count < 40; count++) expect((await ask("203.0.113.7")).statusCode).toBe(200);
    expect((await ask("203.0.113.7")).statusCode).toBe(429);
  });

  it("answers all addresses together 1,200 times", async () => {
    const { db, clock, online, ask } = await open();
    await online();
    await ask("203.0.113.7");
    // The counter of all is the one that the others are not.
    await db
      .updateTable("attempts" as never)
      .set({ count: 1_200 } as never)
      .execute();
    expect((await ask("198.51.100.1")).statusCode).toBe(429);
    await clock.advance(10 * 60_000);
    expect((await ask("198.51.100.1")).statusCode).toBe(200);
  });
});

describe("a ticket for it", () => {
  const access = async () => {
    const test = await open();
    const uuid = await test.online();
    const tickets = showcaseTickets(secret, test.clock);
    const read = showcaseAccess(test.db, tickets);
    return { ...test, uuid, tickets, read, issued: (await tickets.issue(uuid)).access_token };
  };

  it("opens that device, for a minute", async () => {
    const { clock, uuid, read, issued } = await access();
    const grant = { instanceUuid: uuid, user: showcaseOwner, role: "participant", onlineAt: clock.now() };
    expect(await read(issued)).toEqual(grant);
    await clock.advance(TICKET_MS);
    expect(await read(issued)).toBe("expired");
  });

  it("opens nobody's own device", async () => {
    const { as, read, tickets } = await access();
    const robin = await as();
    const recipe = (await robin.get("/v3/recipes")).json().results[0].uuid;
    const { uuid } = (await robin.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "own" })).json();
    expect(await read((await tickets.issue(uuid)).access_token)).toBe("wrong");
  });

  it("is not a token for one's own devices, nor the other way round, with the same secret", async () => {
    const { clock, uuid, read, issued } = await access();
    const tokens = accessTokens(secret, clock);
    const own = await tokens.issue({ instance: uuid, user: showcaseOwner, role: "owner", credential: showcaseOwner });
    expect([await read(own.access_token), await tokens.read(issued)]).toEqual(["wrong", undefined]);
  });

  it("is of no use when the device has ended", async () => {
    const { read, issued, move } = await access();
    await move("stop");
    expect(await read(issued)).toBe("ended");
  });
});
