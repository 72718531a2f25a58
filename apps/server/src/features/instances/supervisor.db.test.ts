import { aMachineSpec, fakeRuntime } from "@terrarium/runtime/testing";
import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryId,
  type QueryResult,
  type RootOperationNode,
  sql,
  type UnknownRow,
} from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp, KEEP_DEVICES_MS, type TestApp } from "../../testing/app.ts";
import { aDeadGateway, aGateway, aRuntime, until } from "../../testing/gateway.ts";
import { BEAT_MS } from "./gateways.ts";
import { endUnattendedInstances } from "./instances.jobs.ts";
import { moveInstance } from "./move-instance.ts";
import { presentChange } from "./present-instance.ts";

/** A database that is gone when the first move of a device is written: before it is, or after it was. */
class AwayOnce implements KyselyPlugin {
  wasAway = false;
  readonly #when: "before" | "after";
  readonly #moves = new WeakSet<QueryId>();

  constructor(when: "before" | "after") {
    this.#when = when;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    if (!this.wasAway && JSON.stringify(node).includes("INSERT INTO instance_events")) {
      if (this.#when === "before") this.#goAway();
      this.#moves.add(queryId);
    }
    return node;
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (!this.wasAway && this.#moves.has(queryId)) this.#goAway();
    return result;
  }

  #goAway(): never {
    this.wasAway = true;
    throw Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" });
  }
}

/** Starts a device, and waits until it is online. */
async function online(test: TestApp, timeouts?: object): Promise<string> {
  const robin = await test.as();
  const uuid: string = (await robin.start({ timeouts })).json().uuid;
  await until("ONLINE", () => test.instance(uuid));
  return uuid;
}

/** What sleeps in an idle gateway: its beat, renewal, sweep, looks at credentials and participants, and three connections that listen. */
const SLEEPERS = 8;

/** Copies the only device as 51 that were asked for: more than a gateway claims at once. */
const askForMany = ({ db }: TestApp) =>
  sql`INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, snapshot, state, timeout_inactivity, timeout_global,
      created_at, updated_at)
    SELECT gen_random_uuid(), name, owner_uuid, organization_uuid, snapshot, 'CREATING', 0, 0, created_at, updated_at
    FROM instances, generate_series(1, 51)`.execute(db);

/** The states that there are. */
const statesOf = async ({ db }: TestApp) =>
  (await db.selectFrom("instances").select("state").distinct().execute()).map(({ state }) => state);

/** Lets time pass, beat by beat: each time the gateways do all they do. */
async function pass({ db, clock }: TestApp, ms: number): Promise<void> {
  const gateways = (await db.selectFrom("gateways").select("id").where("id", "<>", "dead").execute()).length;
  const untilIdle = async () => {
    await expect.poll(() => clock.sleeping).toBe(SLEEPERS * gateways);
  };
  await untilIdle();
  for (let passed = 0; passed < ms; passed += BEAT_MS) {
    await clock.advance(BEAT_MS);
    await untilIdle();
  }
}

const fieldsOf = ({ db }: TestApp, uuid: string) =>
  db
    .selectFrom("instances")
    .select(["state", "reason", "place", "lease_holder", "lease_epoch"])
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();

/** However the system's clock is set. */
const steps = [0, -30_000, -3_600_000, 3_600_000, 157_788_000_000];

describe("the supervisor", () => {
  it("brings a device up when it is asked for, and down when it is stopped", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    expect(machines.size).toBe(1);
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await until("DELETED", () => test.instance(uuid));
    expect(machines.size).toBe(0);
    const states = await test.db.selectFrom("instance_events").select("to_state").orderBy("id").execute();
    expect(states.map(({ to_state }) => to_state)).toEqual([
      "CREATING",
      "STARTING",
      "BOOTING",
      "ONLINE",
      "STOPPING",
      "DELETING",
      "DELETED",
    ]);
  });

  it("stops a device in the middle of its start", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await aGateway(test, runtime, { connects: false });
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("STARTING", () => test.instance(uuid));
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await until("DELETED", () => test.instance(uuid));
    expect(machines.size).toBe(0);
  });

  it("ends at once a device that is stopped before anybody could start it", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await aGateway(test, aRuntime().runtime, { zones: ["asia"] });
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await expect.poll(() => test.instance(uuid)).toBe("DELETED");
  });

  it("ends at its next beat a device of whose stop it has not heard", async () => {
    const test = await createTestApp();
    await aGateway(test, aRuntime().runtime);
    const uuid = await online(test);
    await test.db.updateTable("instances").set({ state: "STOPPING" }).execute();
    await test.clock.advance(BEAT_MS);
    await expect.poll(() => test.instance(uuid)).toBe("DELETED");
  });

  it("asks the database nothing while nothing happens", async () => {
    const test = await createTestApp();
    let asked = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => (asked++, node),
      transformResult: async ({ result }) => result,
    };
    await aGateway({ ...test, db: test.db.withPlugin(counting) }, aRuntime().runtime);
    await online(test);
    let looked = -1;
    const askedSince = () => {
      const count = asked - looked;
      looked = asked;
      return count;
    };
    await expect.poll(askedSince).toBe(0);
  });

  it("hands devices to the next gateway without a change of state", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    const first = await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    await first.leave();
    expect(machines.size).toBe(1);
    await aGateway(test, runtime, { name: "two" });
    await until(
      "two",
      async () =>
        (await test.db.selectFrom("instances").select("lease_holder").executeTakeFirst())?.lease_holder ?? undefined,
    );
    expect(await test.instance(uuid)).toBe("ONLINE");
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await until("DELETED", () => test.instance(uuid));
    expect(machines.size).toBe(0);
  });

  it("takes nothing from the next gateway of its name when it ends late", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const first = await aGateway(test, runtime, { name: "one" });
    const uuid = await online(test);
    await aGateway(test, runtime, { name: "one" });
    await until("2", async () => String((await fieldsOf(test, uuid)).lease_epoch));
    const before = [await fieldsOf(test, uuid), await test.db.selectFrom("gateways").selectAll().execute()];
    await first.leave();
    expect([await fieldsOf(test, uuid), await test.db.selectFrom("gateways").selectAll().execute()]).toEqual(before);
    expect(before[0]).toMatchObject({ state: "ONLINE", lease_holder: "one" });
  });

  it("takes over the devices of a gateway that is not heard of, at the end of its lease", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    // As a gateway leaves it that was killed while the device started.
    const lease_holder = await aDeadGateway(test, "dead");
    await test.db.updateTable("instances").set({ lease_holder, lease_epoch: 3 }).execute();
    await aGateway(test, runtime, { name: "two" });
    await pass(test, 6_000);
    expect(await test.instance(uuid)).toBe("CREATING");
    // It was looked at from the start on, not from the first beat.
    await pass(test, 3_000);
    await until("ONLINE", () => test.instance(uuid));
  });

  it("keeps its devices from others for as long as its heart beats, however the system's clock is set", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    await aGateway(test, runtime, { name: "one" });
    const uuid = await online(test, { inactivity: 15, global: 60 });
    await aGateway(test, runtime, { name: "two" });
    const before = await fieldsOf(test, uuid);
    for (const ms of steps) {
      test.clock.step(ms);
      await pass(test, 15_000);
    }
    expect(await fieldsOf(test, uuid)).toEqual(before);
    expect(before).toMatchObject({ state: "ONLINE", lease_holder: "one" });
  });

  it("goes on with a device that it claimed while it was renewing the others", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    await aGateway(test, runtime);
    const robin = await test.as();
    const first: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(first));
    const second = await test.db.transaction().execute(async (held) => {
      await held.selectFrom("instances").select("uuid").where("uuid", "=", first).forUpdate().execute();
      await test.clock.advance(3_000);
      await until("waiting", async () => {
        const { rows } = await sql`SELECT 1 FROM pg_locks WHERE NOT granted`.execute(test.db);
        return rows.length > 0 ? "waiting" : "not waiting";
      });
      const uuid: string = (await robin.start()).json().uuid;
      await until("ONLINE", () => test.instance(uuid));
      return uuid;
    });
    // Written behind the renewal that waited: once more, and it is over.
    await test.clock.advance(3_000);
    await robin.post(`/v1/instances/${second}/stop-disposable`);
    await until("DELETED", () => test.instance(second));
    expect(await test.instance(first)).toBe("ONLINE");
  });

  it("lets go of a device that it holds and nothing supervises", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    // As a claim leaves it that was written and not answered: the life that was is not this epoch's.
    await sql`UPDATE instances SET lease_epoch = lease_epoch + 1`.execute(test.db);
    const epoch = async () =>
      (await test.db.selectFrom("instances").select("lease_epoch").executeTakeFirstOrThrow()).lease_epoch;
    const before = await epoch();
    await expect.poll(() => test.clock.advance(3_000).then(epoch)).toBeGreaterThan(before);
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await until("DELETED", () => test.instance(uuid));
    expect(machines.size).toBe(0);
  });

  it("does not let go of a device of whose claim it has no answer yet", async () => {
    const test = await createTestApp();
    const claims = new WeakSet<QueryId>();
    const answered = Promise.withResolvers<void>();
    const slow: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        if (JSON.stringify(node).includes("SKIP LOCKED")) claims.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (claims.has(queryId) && result.rows.length > 0) await answered.promise;
        return result;
      },
    };
    await aGateway({ ...test, db: test.db.withPlugin(slow) }, aRuntime().runtime);
    const uuid: string = (await (await test.as()).start()).json().uuid;
    await until("one", async () => (await fieldsOf(test, uuid)).lease_holder ?? undefined);
    await pass(test, BEAT_MS);
    const held = await fieldsOf(test, uuid);
    answered.resolve();
    await until("ONLINE", () => test.instance(uuid));
    expect(held).toMatchObject({ lease_holder: "one", lease_epoch: 1 });
  });

  it("goes on with a device that it lost and claims again before it has let go of it", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const adopted = Promise.withResolvers<void>();
    const { adopt } = runtime;
    runtime.adopt = (spec) => {
      // The life before is over.
      adopted.resolve();
      return adopt(spec);
    };
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    // As another gateway leaves it that took this one for gone.
    await test.db.updateTable("instances").set({ lease_holder: null }).execute();
    await robin.start();
    await adopted.promise;
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await expect.poll(() => test.instance(uuid)).toBe("DELETED");
  });

  it.each(["before", "after"] as const)(
    "brings a device up although the database went away %s it wrote that it was powered",
    async (when) => {
      const test = await createTestApp();
      const { runtime } = aRuntime();
      const away = new AwayOnce(when);
      await aGateway({ ...test, db: test.db.withPlugin(away) }, runtime);
      const robin = await test.as();
      const uuid: string = (await robin.start()).json().uuid;
      await expect.poll(() => away.wasAway).toBe(true);
      await expect.poll(() => test.clock.advance(500).then(() => test.instance(uuid))).toBe("ONLINE");
      const events = await test.db.selectFrom("instance_events").select("event").orderBy("id").execute();
      expect(events.map(({ event }) => event)).toEqual(["ask", "powered", "answered", "booted"]);
    },
  );

  it("gives a device up whose machine is gone, and says why", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    machines.get(uuid)?.gone.abort();
    await until("ERROR", () => test.instance(uuid));
    expect((await robin.get(`/v1/instances/${uuid}`)).json().reason).toBe("machine_gone");
  });

  it("finds at its start an online device without its machine, and a machine without a device", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    const first = await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    await first.leave();
    machines.clear();
    await runtime.start(aMachineSpec(), new AbortController().signal);
    await aGateway(test, runtime);
    await until("ERROR", () => test.instance(uuid));
    expect(machines.size).toBe(0);
  });

  it("starts although a machine without a device cannot be ended", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await runtime.start(aMachineSpec(), new AbortController().signal);
    runtime.stop = () => Promise.reject(new Error("device or resource busy"));
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    expect(machines.size).toBe(2);
  });

  it.each([
    ["ends", "older", 2, 0],
    ["leaves", "present", 1, 1],
  ])("%s at its start a machine of the %s boot of a device that another supervises", async (_, __, boot, left) => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    const first = await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    await first.leave();
    await test.db
      .updateTable("instances")
      .set({ boot, lease_holder: await aDeadGateway(test, "another") })
      .execute();
    await aGateway(test, runtime, { name: "two" });
    expect([machines.size, await test.instance(uuid)]).toEqual([left, "ONLINE"]);
  });

  it("starts although a runtime does not answer, whose devices it starts when it does", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime("here");
    const place = runtime.place.bind(runtime);
    runtime.place = () => Promise.reject(new Error("the cluster does not answer"));
    await aGateway(test, [runtime, fakeRuntime({ name: "emulator" })]);
    const uuid: string = (await (await test.as()).start()).json().uuid;
    await pass(test, 6_000);
    expect(await test.instance(uuid)).toBe("CREATING");
    let asked = 0;
    runtime.place = () => (asked++, place());
    await pass(test, 60_000);
    await until("ONLINE", () => test.instance(uuid));
    await pass(test, 60_000);
    expect(asked).toBe(1);
  });

  it("ends a machine without a device a minute later at the latest, and leaves those of its devices", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    await aGateway(test, runtime);
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("ONLINE", () => test.instance(uuid));
    const stray = "6c1c1a52-52b8-4d3f-8d0a-4e2a8a0f3f11";
    await runtime.start(aMachineSpec({ id: stray }), new AbortController().signal);
    await test.clock.advance(60_000);
    await until("ended", async () => (machines.has(stray) ? "running" : "ended"));
    expect([machines.has(uuid), await test.instance(uuid)]).toEqual([true, "ONLINE"]);
  });

  it("ends every device when it is asked to", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    const gateway = await aGateway(test, runtime);
    const robin = await test.as();
    const uuids: string[] = [(await robin.start()).json().uuid, (await robin.start()).json().uuid];
    for (const uuid of uuids) await until("ONLINE", () => test.instance(uuid));
    await gateway.end();
    for (const uuid of uuids) expect(await test.instance(uuid)).toBe("DELETED");
    expect(machines.size).toBe(0);
  });

  it.each([
    ["ends those that wait in its zones", "DELETED"],
    ["leaves those that wait to another gateway", "CREATING"],
  ])("%s when it is asked to end all", async (_, left) => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const elsewhere = await aGateway(test, runtime, { name: "elsewhere", zones: ["asia"] });
    const gateway = await aGateway(test, runtime, { zones: ["europe"] });
    await sql`INSERT INTO zone_limits VALUES ('europe', 1)`.execute(test.db);
    const first = await online(test);
    const robin = await test.as();
    const { uuid } = (await robin.start({ queue: true })).json<{ uuid: string }>();
    await elsewhere.end();
    expect(await test.instance(uuid)).toBe("CREATING");
    if (left === "CREATING") await aDeadGateway(test, "dead");
    await gateway.end();
    expect([await test.instance(first), await test.instance(uuid)]).toEqual(["DELETED", left]);
  });

  it("leaves one that waits for a runtime that it has not, when it is asked to end all", async () => {
    const test = await createTestApp();
    await sql`INSERT INTO zone_limits VALUES ('europe', 0)`.execute(test.db);
    const { uuid } = (await (await test.as()).start({ queue: true })).json<{ uuid: string }>();
    const gateway = await aGateway(test, fakeRuntime({ name: "emulator" }));
    await gateway.end();
    expect(await test.instance(uuid)).toBe("CREATING");
  });

  it("ends those too that it has not heard of yet", async () => {
    const test = await createTestApp();
    const { runtime, machines } = aRuntime();
    const gateway = await aGateway(test, runtime);
    await online(test);
    // As if the notification were on its way.
    await askForMany(test);
    await gateway.end();
    expect(await statesOf(test)).toEqual(["DELETED"]);
    expect(machines.size).toBe(0);
  });

  it("brings up more than it claims at once", async () => {
    const test = await createTestApp();
    await (await test.as()).start();
    await askForMany(test);
    await aGateway(test, aRuntime().runtime);
    await expect.poll(() => statesOf(test)).toEqual(["ONLINE"]);
  });

  it("measures nothing of a device that has ended", async () => {
    const test = await createTestApp();
    await aGateway(test, aRuntime().runtime);
    const uuid = await online(test);
    await moveInstance(test.db, { uuid, event: "stop", now: new Date(test.clock.now()) });
    await until("DELETED", () => test.instance(uuid));
    const measured = () => test.db.selectFrom("instances").select(["ran_ms", "measured_at"]).execute();
    const before = await measured();
    await pass(test, 6_000);
    expect(await measured()).toEqual(before);
  });
});

describe("a device's place", () => {
  /** Two gateways whose runtimes reach different machines, and a device of the first. */
  async function twoPlaces() {
    const test = await createTestApp();
    const [here, there] = [aRuntime("here"), aRuntime("there")];
    const first = await aGateway(test, here.runtime, { name: "first" });
    const uuid = await online(test);
    const second = await aGateway(test, there.runtime, { name: "second" });
    return { test, here, there, first, second, uuid };
  }

  it("keeps other gateways from claiming it; its own takes it back", async () => {
    const { test, here, there, first, uuid } = await twoPlaces();
    await first.leave();
    await pass(test, 30_000);
    expect(await fieldsOf(test, uuid)).toMatchObject({ state: "ONLINE", place: "here", lease_holder: null });
    await aGateway(test, here.runtime, { name: "first again" });
    await until("first again", async () => (await fieldsOf(test, uuid)).lease_holder ?? undefined);
    await pass(test, 3_000);
    expect([await test.instance(uuid), here.machines.size, there.machines.size]).toEqual(["ONLINE", 1, 0]);
    expect(here.runtime.machines.done).toHaveLength(1);
  });

  it("is another if its gateway was lost before it started, and what is left in the first place is ended", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await test.db
      .updateTable("instances")
      .set({ place: "here", lease_holder: await aDeadGateway(test, "dead"), lease_epoch: 1 })
      .execute();
    const [here, there] = [aRuntime("here"), aRuntime("there")];
    await here.runtime.start(aMachineSpec({ id: uuid }), new AbortController().signal);
    await aGateway(test, there.runtime, { name: "second" });
    await pass(test, 12_000);
    await until("ONLINE", () => test.instance(uuid));
    await aGateway(test, here.runtime, { name: "first" });
    expect([here.machines.size, there.machines.size]).toEqual([0, 1]);
    expect(await fieldsOf(test, uuid)).toMatchObject({ state: "ONLINE", place: "there" });
  });

  it("is only where there is a runtime of its image", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await aGateway(test, fakeRuntime({ name: "emulator" }));
    await pass(test, 6_000);
    expect(await test.instance(uuid)).toBe("CREATING");
  });

  it.each(steps)(
    "ends in an error when nobody reaches it for long, with the system's clock set by %i ms",
    async (ms) => {
      const { test, first, uuid } = await twoPlaces();
      const work = endUnattendedInstances({ ...test, keepDevicesMs: KEEP_DEVICES_MS });
      await work.run({});
      await first.leave();
      await work.run({});
      test.clock.step(ms);
      await test.clock.advance(KEEP_DEVICES_MS + 29_999);
      await work.run({});
      expect(await test.instance(uuid)).toBe("ONLINE");
      await test.clock.advance(1);
      await work.run({});
      expect(await fieldsOf(test, uuid)).toMatchObject({ state: "ERROR", reason: "gateway_gone" });
    },
  );

  it("ends in no error when its gateway is back in time", async () => {
    const { test, here, first, uuid } = await twoPlaces();
    const work = endUnattendedInstances({ ...test, keepDevicesMs: KEEP_DEVICES_MS });
    await first.leave();
    await work.run({});
    await test.clock.advance(KEEP_DEVICES_MS);
    await work.run({});
    await aGateway(test, here.runtime, { name: "first" });
    await until("first", async () => (await fieldsOf(test, uuid)).lease_holder ?? undefined);
    await test.clock.advance(KEEP_DEVICES_MS);
    await work.run({});
    await first.leave();
    await work.run({});
    expect(await test.instance(uuid)).toBe("ONLINE");
  });

  /** A device whose gateway was killed, and the jobs role that looks at each beat. */
  async function killed({ isThere }: { isThere(): boolean }) {
    const { test, first, uuid } = await twoPlaces();
    await first.leave();
    await test.db
      .updateTable("instances")
      .set({ lease_holder: await aDeadGateway(test, "dead") })
      .execute();
    const work = endUnattendedInstances({ ...test, keepDevicesMs: KEEP_DEVICES_MS, isThere: async () => isThere() });
    const look = async (times: number) => {
      for (let time = 0; time < times; time++) {
        await pass(test, BEAT_MS);
        await work.run({});
      }
      return test.instance(uuid);
    };
    await work.run({});
    return { test, uuid, work, look };
  }

  it.each(steps)("ends within half a minute with its machine, with the system's clock set by %i ms", async (ms) => {
    const { test, uuid, look } = await killed({ isThere: () => false });
    expect(await look(2)).toBe("ONLINE");
    test.clock.step(ms);
    expect(await look(3)).toBe("ONLINE");
    await look(2);
    expect(await fieldsOf(test, uuid)).toMatchObject({ state: "ERROR", reason: "gateway_gone" });
  });

  it("runs on while the machine of its gateway answers now and then: the gateway may be held up", async () => {
    let looks = 0;
    const { look } = await killed({ isThere: () => looks++ % 3 === 2 });
    expect(await look(20)).toBe("ONLINE");
  });

  it("runs on when the database was away, which tells nothing of its gateway", async () => {
    const { test, look, work } = await killed({ isThere: () => false });
    await look(4);
    await pass(test, 30_000);
    await work.run({});
    expect(await look(1)).toBe("ONLINE");
  });

  it("runs on when its gateway let go of it, though that was killed later with others", async () => {
    const { test, uuid, look } = await killed({ isThere: () => false });
    await sql`INSERT INTO instances (uuid, name, owner_uuid, organization_uuid, snapshot, state, timeout_inactivity, timeout_global,
        created_at, updated_at, place, lease_holder)
      SELECT gen_random_uuid(), 'other', owner_uuid, organization_uuid, snapshot, state, 0, 0, created_at, updated_at, place, 'dead'
      FROM instances`.execute(test.db);
    await test.db.updateTable("instances").set({ lease_holder: null }).where("uuid", "=", uuid).execute();
    expect(await look(20)).toBe("ONLINE");
    const other = await test.db.selectFrom("instances").select("state").where("name", "=", "other").executeTakeFirst();
    expect(other).toEqual({ state: "ERROR" });
  });

  it("is free when its gateway was killed and there is no other, as the jobs role notices too", async () => {
    const test = await createTestApp();
    await aDeadGateway(test, "dead");
    const work = endUnattendedInstances({ ...test, keepDevicesMs: KEEP_DEVICES_MS });
    for (let beat = 0; beat < 4; beat++) {
      expect(await test.db.selectFrom("gateways").selectAll().execute()).toHaveLength(1);
      await work.run({});
      await test.clock.advance(BEAT_MS);
    }
    expect(await test.db.selectFrom("gateways").selectAll().execute()).toHaveLength(0);
  });
});

describe("a device's time", () => {
  async function running(timeouts: object) {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const gateway = await aGateway(test, runtime);
    const uuid = await online(test, timeouts);
    return { test, runtime, gateway, uuid };
  }

  it.each(steps)(
    "stops one that nobody uses, neither early nor late when the system's clock is set by %i ms",
    async (ms) => {
      const { test, uuid } = await running({ inactivity: 1, global: 0 });
      await pass(test, 30_000);
      test.clock.step(ms);
      await pass(test, 27_000);
      expect(await test.instance(uuid)).toBe("ONLINE");
      await expect.poll(() => test.clock.advance(BEAT_MS).then(() => test.instance(uuid))).toBe("DELETED");
      expect(await fieldsOf(test, uuid)).toMatchObject({ reason: "inactivity" });
    },
  );

  it("counts from the last use, and shows when it would stop", async () => {
    const { test, gateway, uuid } = await running({ inactivity: 1, global: 0 });
    const shown = async () => {
      const row = await test.db.selectFrom("instances").selectAll().where("uuid", "=", uuid).executeTakeFirstOrThrow();
      return presentChange(row).stops_at;
    };
    expect(await shown()).toBe("2026-03-02T09:01:00.000Z");
    await pass(test, 30_000);
    expect(await shown()).toBe("2026-03-02T09:01:00.000Z");
    gateway.used(uuid);
    await pass(test, 45_000);
    expect([await test.instance(uuid), await shown()]).toEqual(["ONLINE", "2026-03-02T09:01:30.000Z"]);
    test.clock.step(3_600_000);
    await pass(test, 3_000);
    expect(await shown()).toBe("2026-03-02T10:01:30.000Z");
  });

  it("stops one in use at its longest run", async () => {
    const { test, gateway, uuid } = await running({ inactivity: 2, global: 2 });
    await pass(test, 60_000);
    gateway.used(uuid);
    await pass(test, 57_000);
    expect(await test.instance(uuid)).toBe("ONLINE");
    await expect.poll(() => test.clock.advance(BEAT_MS).then(() => test.instance(uuid))).toBe("DELETED");
    expect(await fieldsOf(test, uuid)).toMatchObject({ reason: "max_run_duration" });
  });

  it("goes on when another gateway takes it over, with the time in between", async () => {
    const { test, runtime, gateway, uuid } = await running({ inactivity: 1, global: 0 });
    await pass(test, 30_000);
    await gateway.leave();
    await test.clock.advance(20_000);
    await aGateway(test, runtime, { name: "two" });
    await until("two", async () => (await fieldsOf(test, uuid)).lease_holder ?? undefined);
    await pass(test, 6_000);
    expect(await test.instance(uuid)).toBe("ONLINE");
    await expect.poll(() => test.clock.advance(BEAT_MS).then(() => test.instance(uuid))).toBe("DELETED");
  });

  it("ends soon after its gateway is back when its longest run was over before, and costs what it ran", async () => {
    const { test, runtime, gateway, uuid } = await running({ inactivity: 0, global: 2 });
    await pass(test, 60_000);
    await gateway.leave();
    await test.clock.advance(120_000);
    const back = test.clock.monotonic();
    await aGateway(test, runtime, { name: "two" });
    await expect.poll(() => test.clock.advance(BEAT_MS).then(() => test.instance(uuid))).toBe("DELETED");
    const afterMs = test.clock.monotonic() - back;
    const run = await test.db
      .selectFrom("runs")
      .selectAll()
      .where("instance_uuid", "=", uuid)
      .executeTakeFirstOrThrow();
    const [used, lasted] = [Number(run.used_ms), run.ended_at.getTime() - run.began_at.getTime()];
    console.log(
      `A minute past its longest run: stopped ${afterMs / 1000} s after its gateway was back, ${used / 1000} s billed of ${lasted / 1000} s`,
    );
    expect(afterMs).toBeLessThanOrEqual(30_000);
    expect(Math.abs(used - lasted)).toBeLessThan(10_000);
  });

  it("begins when it is handed out, though its gateway has not heard of that", async () => {
    const test = await createTestApp();
    const robin = await test.as();
    const uuid: string = (await robin.start({ timeouts: { inactivity: 1, global: 0 } })).json().uuid;
    await test.db.updateTable("instances").set({ is_warm: true }).execute();
    await aGateway(test, aRuntime().runtime);
    await until("CREATED", () => test.instance(uuid));
    await pass(test, 60_000);
    await test.db.updateTable("instances").set({ is_warm: false, state: "ONLINE" }).execute();
    await pass(test, 30_000);
    expect(await test.instance(uuid)).toBe("ONLINE");
  });

  it("ends one that does not come up", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    await aGateway(test, runtime, { connects: false });
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    await until("STARTING", () => test.instance(uuid));
    test.clock.step(3_600_000);
    await pass(test, 6_000);
    expect(await test.instance(uuid)).toBe("STARTING");
    await test.clock.advance(231_000);
    await expect.poll(() => test.clock.advance(BEAT_MS).then(() => test.instance(uuid))).toBe("ERROR");
    expect(await fieldsOf(test, uuid)).toMatchObject({ reason: "start_timeout" });
  });
});
