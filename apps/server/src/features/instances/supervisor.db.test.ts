import type { createServer } from "node:http";
import type { DeviceRuntime } from "@terrarium/runtime";
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
import { describe, expect, it, onTestFinished } from "vitest";
import { createLog } from "../../platform/log.ts";
import { createTestApp } from "../../testing/app.ts";
import { startGateway } from "../../roles/gateway.ts";

/** The fake runtime, under the name that the catalogue's images ask for. Its machines outlive any gateway. */
function aRuntime() {
  const runtime = fakeRuntime({ name: "simulator" });
  return { runtime, machines: runtime.machines.running };
}

async function aGateway(
  { db, url, clock }: Awaited<ReturnType<typeof createTestApp>>,
  runtime: DeviceRuntime,
  { name = "one", connects = true } = {},
) {
  const gateway = await startGateway({
    db,
    databaseUrl: url,
    clock,
    log: createLog("silent", "test"),
    runtimes: [runtime],
    name,
    host: "127.0.0.1",
    port: 0,
    address: undefined,
    displays: () => ({
      connect: async (_instance, _adb, signal) => {
        if (!connects)
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
        const never = new AbortController().signal;
        return {
          booted: async () => undefined,
          openDisplay: async () => ({ gone: never, close: async () => undefined }),
          gone: never,
          close: async () => undefined,
        };
      },
      ended: () => undefined,
      credentials: () => [],
      credentialEnded: () => undefined,
      serve: (server: ReturnType<typeof createServer>) => void server,
      stop: async () => undefined,
    }),
  });
  let stopped = false;
  const stop = async (endDevices: boolean) => {
    if (stopped) return;
    stopped = true;
    await gateway.stop({ endDevices });
  };
  onTestFinished(() => stop(false));
  return { leave: () => stop(false), end: () => stop(true) };
}

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

async function until(state: string, read: () => Promise<string | undefined>): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (let now = await read(); now !== state; now = await read()) {
    if (performance.now() > deadline) throw new Error(`still ${now}, not ${state}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

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

  it("takes over the devices of a gateway that is not heard of, at the end of its lease", async () => {
    const test = await createTestApp();
    const { runtime } = aRuntime();
    const robin = await test.as();
    const uuid: string = (await robin.start()).json().uuid;
    // As a gateway leaves it that was killed while the device started.
    await test.db
      .updateTable("instances")
      .set({ lease_holder: "dead", lease_epoch: 3, lease_expires_at: new Date(test.clock.now() + 10_000) })
      .execute();
    await aGateway(test, runtime, { name: "two" });
    await test.clock.advance(6_000);
    expect(await test.instance(uuid)).toBe("CREATING");
    await test.clock.advance(6_000);
    await until("ONLINE", () => test.instance(uuid));
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
    const lease = async () =>
      test.db.selectFrom("instances").select(["lease_epoch", "lease_expires_at"]).executeTakeFirstOrThrow();
    const { lease_epoch: before } = await lease();
    for (let renewals = 0; (await lease()).lease_epoch === before && renewals < 10; renewals++) {
      const { lease_expires_at: expires } = await lease();
      await test.clock.advance(3_000);
      const isWritten = async () => {
        const now = await lease();
        return now.lease_epoch !== before || now.lease_expires_at?.getTime() !== expires?.getTime() ? "yes" : "no";
      };
      await until("yes", isWritten);
    }
    await robin.post(`/v1/instances/${uuid}/stop-disposable`);
    await until("DELETED", () => test.instance(uuid));
    expect(machines.size).toBe(0);
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
    const lease_expires_at = new Date(test.clock.now() + 10_000);
    await test.db.updateTable("instances").set({ boot, lease_holder: "another", lease_expires_at }).execute();
    await aGateway(test, runtime, { name: "two" });
    expect([machines.size, await test.instance(uuid)]).toEqual([left, "ONLINE"]);
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
});
