import type { Instance } from "@terrarium/contract";
import type { FakeRuntimeOptions } from "@terrarium/runtime/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { aCustom } from "../../testing/factories.ts";
import { aDeadGateway, aGateway, aRuntime, until } from "../../testing/gateway.ts";
import { setDraining } from "../instances/gateways.ts";
import { handOut } from "../instances/hand-out.ts";
import { moveInstance } from "../instances/move-instance.ts";
import { listOfficial } from "../operator/operator.store.ts";
import { warmAccount } from "../organizations/own-account.ts";
import { refillPools } from "./warm-pool.jobs.ts";
import { removePool, setPool, showPools } from "./warm-pool.ts";

const zone = "europe";
const MINUTE_MS = 60_000;

/** A pool of the recipe that everybody starts here, and Robin who does. */
async function aPool({
  least = 1,
  most = least,
  ...options
}: { least?: number; most?: number } & FakeRuntimeOptions = {}) {
  const test = await createTestApp();
  const { db, clock, operator } = test;
  const robin = await test.as({ role: "manager" });
  const called: string = (await robin.get("/v3/recipes?page_size=1")).json().results[0].uuid;
  const { runtime, machines } = aRuntime("here", options);
  await setPool(operator, { called, zone, least, most }, operator.by);
  const keep = () => refillPools.run({ db, clock, runtimes: new Set(["simulator"]) });
  const warm = async () =>
    db
      .selectFrom("instances")
      .select(["uuid", "state", "reason", "ran_ms"])
      .where("is_warm", "=", true)
      .orderBy("created_at")
      .execute();
  return {
    ...test,
    robin,
    called,
    runtime,
    machines,
    keep,
    warm,
    gateway: (more: Parameters<typeof aGateway>[2] = {}) => aGateway(test, runtime, more),
    /** Waits until there are so many that are ready. */
    async ready(count: number) {
      await keep();
      await expect
        .poll(async () => (await warm()).filter(({ state }) => state === "CREATED").length, { timeout: 10_000 })
        .toBe(count);
      return warm();
    },
  };
}

/** Starts a device of which none is kept ready. */
async function anotherRecipe(
  robin: Awaited<ReturnType<TestApp["as"]>>,
  called: string,
  queue = false,
): Promise<Instance> {
  const others = (await robin.get("/v3/recipes?page_size=10")).json<{ results: { uuid: string }[] }>().results;
  const other = others.find(({ uuid }) => uuid !== called);
  const body = { instance_name: "other", rename_on_conflict: true, queue };
  return (await robin.post(`/v1/recipes/${other?.uuid}/start-disposable`, body)).json();
}

describe("a device that was kept ready", () => {
  it("does not count as running while it gets ready", async () => {
    const { db, gateway, keep, warm } = await aPool();
    await gateway({ connects: false });
    await keep();
    await until("STARTING", async () => (await warm())[0]?.state);
    expect((await listOfficial(db)).filter(({ running_instances }) => running_instances > 0)).toEqual([]);
  });

  it("is the caller's at once: its name, limits, history and minutes begin with the start", async () => {
    const { db, clock, robin, gateway, ready, machines } = await aPool();
    await gateway();
    const [warm] = await ready(1);
    await clock.advance(40 * MINUTE_MS);
    const started = (await robin.start({ instance_name: "mine", timeouts: { global: 30 } })).json<Instance>();
    const now = new Date(clock.now()).toISOString();
    expect(started).toMatchObject({
      uuid: warm?.uuid,
      name: "mine",
      state: "ONLINE",
      owner: { uuid: robin.user.uuid },
      timeouts: { global: 30 },
      created_at: now,
      online_at: now,
      stops_at: new Date(clock.now() + 30 * MINUTE_MS).toISOString(),
      reason: null,
    });
    expect([...machines.keys()]).toEqual([started.uuid]);
    const events = db.selectFrom("instance_events").select(["event", "to_state", "actor_uuid", "at"]);
    expect(await events.where("instance_uuid", "=", started.uuid).orderBy("id").execute()).toEqual([
      { event: "ask", to_state: "CREATED", actor_uuid: robin.user.uuid, at: new Date(now) },
      { event: "booted", to_state: "ONLINE", actor_uuid: robin.user.uuid, at: new Date(now) },
    ]);
    const runs = db.selectFrom("runs").select(["owner_uuid", "organization_uuid", "began_at", "ran_from_ms"]);
    expect(await runs.execute()).toEqual([
      {
        owner_uuid: robin.user.uuid,
        organization_uuid: robin.user.organization_uuid,
        began_at: new Date(now),
        ran_from_ms: 0,
      },
    ]);
    expect((await robin.get("/v2/instances?organization_wide=true")).json()).toMatchObject({ count: 1 });
  });

  it("has run for as long as somebody has had it, also when it is stopped before its gateway has heard of them", async () => {
    const { db, clock, robin, gateway, ready } = await aPool();
    await gateway();
    const [warm] = await ready(1);
    await clock.advance(60 * MINUTE_MS);
    await expect
      .poll(async () => (await db.selectFrom("instances").select("ran_ms").executeTakeFirst())?.ran_ms)
      .toBeGreaterThan(0);
    const { uuid } = (await robin.start()).json<Instance>();
    expect(uuid).toBe(warm?.uuid);
    // What a gateway measured before it heard is not written.
    await clock.advance(3_000);
    await expect
      .poll(async () => (await db.selectFrom("instances").select("ran_ms").executeTakeFirst())?.ran_ms)
      .toBeLessThan(MINUTE_MS);
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    const { rows } = await sql<{ used_ms: number }>`SELECT used_ms FROM runs`.execute(db);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.used_ms).toBeLessThan(10_000);
  });

  it("ends by its own limits of time", async () => {
    const { clock, robin, gateway, ready, instance } = await aPool();
    await gateway();
    await ready(1);
    const { uuid } = (await robin.start({ timeouts: { global: 1 } })).json<Instance>();
    await clock.advance(30_000);
    expect(await instance(uuid)).toBe("ONLINE");
    await expect.poll(async () => (await clock.advance(3_000), instance(uuid)), { timeout: 10_000 }).toBe("DELETED");
  });

  it("is given to one caller alone, and whoever comes later waits for another to boot", async () => {
    const { db, robin, gateway, ready } = await aPool({ least: 3 });
    await gateway();
    await ready(3);
    const started = await Promise.all(Array.from({ length: 5 }, () => robin.start()));
    const devices = started.map((answer) => answer.json<Instance>());
    expect(new Set(devices.map(({ uuid }) => uuid)).size).toBe(5);
    expect(devices.map(({ state }) => state).toSorted()).toEqual([
      "CREATING",
      "CREATING",
      "ONLINE",
      "ONLINE",
      "ONLINE",
    ]);
    // Each has a history of its own.
    const asked = await db.selectFrom("instance_events").select("instance_uuid").where("event", "=", "ask").execute();
    expect(new Set(asked.map(({ instance_uuid }) => instance_uuid))).toEqual(new Set(devices.map(({ uuid }) => uuid)));
  });

  it("counts for the caller's limit, and tells their webhooks that it was created and started", async () => {
    const { db, robin, gateway, ready } = await aPool({ least: 2 });
    await gateway();
    await ready(2);
    await sql`INSERT INTO webhook_endpoints (uuid, organization_uuid, url, description, events, secret, created_at)
      VALUES (gen_random_uuid(), ${robin.user.organization_uuid}, 'https://example.com', '', '{instance.created,instance.started}', '', now())`.execute(
      db,
    );
    await sql`UPDATE organizations SET instances_max = 1 WHERE uuid = ${robin.user.organization_uuid}`.execute(db);
    await robin.start();
    expect((await robin.start()).json()).toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
    const told = await db.selectFrom("webhook_deliveries").select("type").orderBy("id").execute();
    expect(told.map(({ type }) => type)).toEqual(["instance.created", "instance.started"]);
  });

  it("is not given to who starts another recipe, or in another zone", async () => {
    const { db, robin, gateway, ready, called } = await aPool();
    await gateway();
    await ready(1);
    expect(await anotherRecipe(robin, called)).toMatchObject({ state: "CREATING" });
    // Made of the same parts.
    const { hardware_profile, os_image } = (await robin.get(`/v2/recipes/${called}`)).json();
    const parts = { hardware_profile_uuid: hardware_profile.uuid, os_image_uuid: os_image.uuid };
    const own = await aCustom(db, "recipes", robin.user, parts);
    const started = await robin.post(`/v1/recipes/${own}/start-disposable`, { instance_name: "own" });
    expect(started.json()).toMatchObject({ state: "CREATING" });
    await sql`UPDATE organizations SET zone = 'north america' WHERE uuid = ${robin.user.organization_uuid}`.execute(db);
    expect((await robin.start()).json()).toMatchObject({ state: "CREATING" });
  });

  it("is not given to who would start another than it is, as the recipe has changed", async () => {
    const { db, robin, gateway, ready } = await aPool();
    await gateway();
    await ready(1);
    await sql`UPDATE hardware_profiles SET ram_size = ram_size + 1024`.execute(db);
    expect((await robin.start()).json()).toMatchObject({ state: "CREATING" });
  });

  it("is not given while its gateway is gone; that of one that drains goes last", async () => {
    const { db, robin, gateway, ready } = await aPool({ least: 2 });
    const one = await gateway();
    const [first, second] = await ready(2);
    // The older one.
    await sql`UPDATE instances SET lease_holder = ${await aDeadGateway({ db }, "dead")}, created_at = created_at - interval '1 minute'
      WHERE uuid = ${first?.uuid}`.execute(db);
    await setDraining(db, "dead", true);
    expect((await robin.start()).json()).toMatchObject({ uuid: second?.uuid });
    expect((await robin.start()).json()).toMatchObject({ uuid: first?.uuid });
    await one.leave();
    await sql`UPDATE instances SET is_warm = true, state = 'CREATED'`.execute(db);
    await sql`DELETE FROM gateways`.execute(db);
    expect((await robin.start()).json()).toMatchObject({ state: "CREATING" });
  });

  it("is adopted by the next gateway as it is, and given away by that", async () => {
    const { robin, gateway, ready, warm, machines } = await aPool();
    const one = await gateway();
    const before = await ready(1);
    await one.leave();
    await gateway({ name: "two" });
    await ready(1);
    expect((await warm()).map(({ uuid, state }) => [uuid, state])).toEqual(before.map(({ uuid }) => [uuid, "CREATED"]));
    expect((await robin.start()).json()).toMatchObject({ uuid: before[0]?.uuid, state: "ONLINE" });
    expect(machines.size).toBe(1);
  });

  it("is not stopped by who has seen it while it was nobody's", async () => {
    const { db, robin, operator, called, gateway, keep, ready, instance } = await aPool();
    await gateway();
    const [warm] = await ready(1);
    await removePool(operator, { called, zone }, operator.by);
    const { user } = robin;
    let kept: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      const row = await trx.selectFrom("instances").selectAll().executeTakeFirstOrThrow();
      const { created_at: now } = row;
      const owner = { owner_uuid: user.uuid, organization_uuid: user.organization_uuid!, name: "mine" };
      const limits = { timeout_inactivity: 0, timeout_global: 0 };
      const made = { recipe_uuid: row.recipe_uuid!, zone, made_hash: row.made_hash! };
      const wanted = { ...owner, ...limits, ...made, now };
      expect(await handOut(trx, wanted)).toBe(warm?.uuid);
      kept = keep();
      const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waiting.execute(db)).rows.length, { timeout: 10_000 }).toBe(1);
    });
    await kept;
    expect(await instance(warm?.uuid ?? "")).toBe("ONLINE");
  });

  it("bears the name of its model", async () => {
    const { gateway, ready, machines } = await aPool();
    await gateway();
    await ready(1);
    const [machine] = [...machines.values()];
    expect(machine?.spec.name).toBe(machine?.spec.hardware.name);
  });
});

describe("keeping devices ready", () => {
  it("starts as many as the operator wants, whoever looks, and others for those that were given away", async () => {
    const { db, robin, gateway, keep, ready, warm } = await aPool({ least: 2, most: 3 });
    await gateway();
    await Promise.all([keep(), keep(), keep()]);
    await ready(2);
    expect(await warm()).toHaveLength(2);
    const owners = await db.selectFrom("instances").select("owner_uuid").execute();
    expect(new Set(owners.map(({ owner_uuid }) => owner_uuid))).toEqual(new Set([warmAccount.uuid]));
    await robin.start();
    await ready(2);
    expect(await db.selectFrom("runs").select("owner_uuid").execute()).toEqual([{ owner_uuid: robin.user.uuid }]);
  });

  it("starts no others for a minute when one has failed", async () => {
    const { clock, gateway, keep, warm } = await aPool({ least: 1, slots: 0 });
    await gateway();
    await keep();
    await expect.poll(async () => (await warm())[0]?.state, { timeout: 10_000 }).toBe("ERROR");
    await keep();
    expect(await warm()).toHaveLength(1);
    await clock.advance(MINUTE_MS);
    await keep();
    expect(await warm()).toHaveLength(2);
  });

  it("replaces what is made otherwise than a start would make it, and what is half a day old", async () => {
    const { db, clock, gateway, ready, keep, warm } = await aPool();
    await gateway();
    const [first] = await ready(1);
    await sql`UPDATE hardware_profiles SET ram_size = ram_size + 1024`.execute(db);
    await keep();
    const second = (await ready(1)).find(({ state }) => state === "CREATED");
    expect(second?.uuid).not.toBe(first?.uuid);
    await sql`UPDATE instances SET ran_ms = ${12 * 60 * MINUTE_MS} WHERE uuid = ${second?.uuid}`.execute(db);
    await keep();
    const ended = async () =>
      (await warm()).filter(({ state, reason }) => state === "DELETED" && reason === "not_needed");
    await expect
      .poll(async () => new Set((await ended()).map(({ uuid }) => uuid)), { timeout: 10_000 })
      .toEqual(new Set([first?.uuid, second?.uuid]));
    await clock.advance(61 * MINUTE_MS);
    await ready(1);
    // What has ended leaves no history for longer than an hour.
    expect(await ended()).toEqual([]);
  });

  it("keeps none of a recipe that cannot be started, nor while somebody waits for room, nor beyond the zone's limit", async () => {
    const { db, robin, gateway, keep, ready, warm } = await aPool({ least: 2 });
    await gateway();
    await ready(2);
    const living = async () => (await warm()).filter(({ state }) => state !== "DELETED").length;
    await sql`UPDATE recipes SET status = 'UPDATING'`.execute(db);
    await keep();
    await expect.poll(living, { timeout: 10_000 }).toBe(0);
    await sql`UPDATE recipes SET status = 'READY'`.execute(db);
    await ready(2);
    await sql`UPDATE organizations SET instances_max = 1 WHERE uuid = ${robin.user.organization_uuid}`.execute(db);
    await robin.start();
    expect((await robin.start({ queue: true })).json()).toMatchObject({ queue: { place: 1 } });
    await keep();
    // Whoever waits for their own limit needs no room.
    expect(await living()).toBe(2);
    await sql`INSERT INTO zone_limits VALUES (${zone}, 1)`.execute(db);
    await sql`UPDATE organizations SET instances_max = 2 WHERE uuid = ${robin.user.organization_uuid}`.execute(db);
    await keep();
    await expect.poll(living, { timeout: 10_000 }).toBe(0);
    await sql`UPDATE instances SET queued_at = NULL, state = 'DELETED' WHERE queued_at IS NOT NULL`.execute(db);
    await sql`UPDATE zone_limits SET devices_max = 3`.execute(db);
    await ready(1);
    await keep();
    expect(await living()).toBe(1);
  });

  it("gives up as many for those that wait as there are, and none for other machines", async () => {
    const { db, robin, called, gateway, keep, ready, warm, instance } = await aPool({ least: 3, slots: 3 });
    await gateway();
    await ready(3);
    const living = async () => (await warm()).filter(({ state }) => state === "CREATED").length;
    const queued = async () => {
      const { uuid } = await anotherRecipe(robin, called, true);
      const row = db.selectFrom("instances").select("queued_at").where("uuid", "=", uuid);
      await expect.poll(async () => (await row.executeTakeFirst())?.queued_at, { timeout: 10_000 }).not.toBeNull();
      return uuid;
    };
    const first = await queued();
    await keep();
    await until("ONLINE", () => instance(first));
    expect(await living()).toBe(2);
    const second = await queued();
    await sql`UPDATE instances SET snapshot = jsonb_set(snapshot, '{osImage,runtime}', '"container"') WHERE uuid = ${second}`.execute(
      db,
    );
    await keep();
    expect(await living()).toBe(2);
  });

  it("leaves room in the zone for a start of another recipe", async () => {
    const { db, robin, called, gateway, keep, ready, warm, instance } = await aPool({ least: 2 });
    await gateway();
    await sql`INSERT INTO zone_limits VALUES (${zone}, 2)`.execute(db);
    await ready(1);
    await keep();
    expect(await warm()).toHaveLength(1);
    const start = await anotherRecipe(robin, called);
    await until("ONLINE", () => instance(start.uuid));
    await keep();
    await expect.poll(async () => (await warm())[0]?.state, { timeout: 10_000 }).toBe("DELETED");
    expect(await anotherRecipe(robin, called)).toMatchObject({ state: "CREATING" });
  });

  it("frees a device for a start that no machine had room for", async () => {
    const { clock, robin, called, gateway, keep, ready, warm, instance } = await aPool({ least: 2, slots: 2 });
    await gateway();
    await ready(2);
    const refused = await anotherRecipe(robin, called);
    await until("ERROR", () => instance(refused.uuid));
    await keep();
    const living = async () => (await warm()).filter(({ state }) => state !== "DELETED").length;
    await expect.poll(living, { timeout: 10_000 }).toBe(1);
    await keep();
    expect(await living()).toBe(1);
    const again = await anotherRecipe(robin, called);
    await until("ONLINE", () => instance(again.uuid));
    await clock.advance(10 * MINUTE_MS);
    await keep();
    expect(await living()).toBe(2);
  });

  it("ends none that were expected a moment ago, as they may be so again", async () => {
    const { db, operator, called, gateway, keep, ready, warm } = await aPool({ least: 3 });
    await gateway();
    await ready(3);
    await setPool(operator, { called, zone, least: 1, most: 3 }, operator.by);
    await keep();
    const living = async () => (await warm()).filter(({ state }) => state === "CREATED").length;
    expect(await living()).toBe(3);
    await sql`UPDATE instances SET ran_ms = ${10 * MINUTE_MS}`.execute(db);
    await keep();
    expect(await living()).toBe(1);
  });

  it("goes on with the other pools when one fails", async () => {
    const { db, robin, operator, gateway, keep } = await aPool();
    await gateway();
    const recipes = (await robin.get("/v3/recipes?page_size=10")).json<{ results: { uuid: string }[] }>().results;
    for (const { uuid } of recipes) await setPool(operator, { called: uuid, zone, least: 1, most: 1 }, operator.by);
    const [first, ...others] = recipes.map(({ uuid }) => uuid).toSorted();
    await sql`ALTER TABLE instances ADD CHECK (recipe_uuid <> ${sql.lit(first)})`.execute(db);
    await expect(keep()).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: expect.stringContaining("check constraint") })],
    });
    const kept = await db.selectFrom("instances").select("recipe_uuid").execute();
    expect(new Set(kept.map(({ recipe_uuid }) => recipe_uuid))).toEqual(new Set(others));
    expect(kept).toHaveLength(others.length);
  });

  it("keeps none where no gateway takes devices, and refuses a zone that none serves", async () => {
    const { db, operator, called, gateway, keep, ready, warm } = await aPool();
    await keep();
    expect(await warm()).toEqual([]);
    const one = await gateway({ zones: ["north america"] });
    await keep();
    expect(await warm()).toEqual([]);
    await expect(setPool(operator, { called, zone, least: 1, most: 1 }, operator.by)).rejects.toThrow(zone);
    await one.leave();
    await gateway({ zones: [zone] });
    await ready(1);
    await setDraining(db, "one", true);
    await keep();
    await expect.poll(async () => (await warm())[0]?.state, { timeout: 10_000 }).toBe("DELETED");
    await keep();
    expect(await warm()).toHaveLength(1);
  });

  it("replaces those of a gateway that drains by others elsewhere", async () => {
    const { db, gateway, keep, ready, warm, instance } = await aPool();
    await gateway();
    const [first] = await ready(1);
    await gateway({ name: "two" });
    await setDraining(db, "one", true);
    await keep();
    await expect
      .poll(async () => (await warm()).map(({ state }) => state).toSorted(), { timeout: 10_000 })
      .toEqual(["CREATED", "DELETED"]);
    expect(await instance(first?.uuid ?? "")).toBe("DELETED");
  });

  it("keeps devices of an organization's own recipe for those alone who may start it", async () => {
    const test = await aPool();
    const { called, robin, operator, as, gateway, ready } = test;
    await removePool(operator, { called, zone }, operator.by);
    const recipe = await aCustom(test.db, "recipes", robin.user);
    await setPool(operator, { called: recipe, zone, least: 1, most: 1 }, operator.by);
    await gateway();
    await ready(1);
    const start = (who: typeof robin) => who.post(`/v1/recipes/${recipe}/start-disposable`, { instance_name: "own" });
    expect((await start(await as())).statusCode).toBe(404);
    expect((await start(robin)).json()).toMatchObject({ state: "ONLINE" });
  });

  it("ends them with the pool, and says what there is", async () => {
    const { operator, db, clock, called, gateway, ready, keep, warm, audited } = await aPool({ least: 1, most: 4 });
    await gateway();
    await ready(1);
    expect(await showPools(db)).toMatchObject([
      { recipe_uuid: called, zone, least: 1, most: 4, ready: 1, starting: 0 },
    ]);
    await removePool(operator, { called, zone }, operator.by);
    await keep();
    await expect.poll(async () => (await warm())[0]?.state, { timeout: 10_000 }).toBe("DELETED");
    expect((await audited()).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["warm_pool.set", "warm_pool.remove"]),
    );
    await clock.advance(61 * MINUTE_MS);
    await keep();
    expect(await warm()).toEqual([]);
  });

  it.each([
    [{ called: "No such", least: 1, most: 1 }, "There is no official recipe No such"],
    [{ zone: "mars", least: 1, most: 1 }, "There is no zone mars"],
    [{ least: 2, most: 1 }, "no fewer at most"],
    [{ least: 0, most: 0 }, "At least 1"],
    [{ least: 1, most: 501 }, "at most 500"],
  ])("refuses %j", async (wanted, why) => {
    const { operator, called } = await aPool();
    await expect(setPool(operator, { called, zone, ...wanted }, operator.by)).rejects.toThrow(why);
  });
});

it("cannot be moved by anybody but who hands it out", async () => {
  const { db, clock, ready, gateway } = await aPool();
  await gateway();
  const [warm] = await ready(1);
  const now = new Date(clock.now());
  expect(await moveInstance(db, { uuid: warm?.uuid ?? "", event: "save", now })).toBeUndefined();
});
