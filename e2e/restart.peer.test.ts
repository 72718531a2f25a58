import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { preparedServer } from "./support/prepared-server.ts";
import { demo, type OperatorInstance, type TestServer } from "./support/server.ts";

/** The devices, once a gateway has taken on each again: that of a killed server stays until then. */
async function untilTakenOn(server: TestServer, leases: readonly number[]): Promise<OperatorInstance[]> {
  await eventually("every device has its new gateway", async () =>
    (await server.leases()).every((lease, at) => lease > leases[at]!),
  );
  return server.instances();
}

describe("a server that is killed", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await preparedServer();
  });
  afterAll(() => server?.stop());

  it("adopts its online devices after the restart", async () => {
    const { client } = await server.signIn(demo.user);
    const started = await Promise.all([1, 2, 3].map(() => startDevice(client)));
    for (const { uuid } of started) await untilState(client, uuid, "ONLINE");
    const before = await server.instances();
    const leases = await server.leases();
    expect(JSON.parse(await server.operate("instances", "--json"))).toEqual(before);

    await server.kill();
    await server.start();
    const after = await untilTakenOn(server, leases);
    const facts = (rows: typeof before) => rows.map(({ uuid, state, adb }) => [uuid, state, adb]);
    expect(facts(after)).toEqual(facts(before));

    // They can still be used and stopped.
    const again = await server.signIn(demo.user);
    for (const { uuid } of started) await again.client.instances.stop({ params: { uuid } });
    await eventually("all are gone", async () => (await server.instances()).length === 0);
  });

  it("completes starts that were interrupted", async () => {
    const { client } = await server.signIn(demo.user);
    const starting = await Promise.all([1, 2, 3].map(() => startDevice(client)));
    await server.kill();
    await server.start();
    const again = await server.signIn(demo.user);
    for (const { uuid } of starting) await untilState(again.client, uuid, "ONLINE");
    expect((await server.instances()).map(({ uuid }) => uuid).toSorted((a, b) => a.localeCompare(b))).toEqual(
      starting.map(({ uuid }) => uuid).toSorted((a, b) => a.localeCompare(b)),
    );
    for (const { uuid } of starting) await again.client.instances.stop({ params: { uuid } });
    await eventually("all are gone", async () => (await server.instances()).length === 0);
  });
});

describe("a server that gets SIGTERM", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await preparedServer();
  });
  afterAll(() => server?.stop());

  it("answers what it was asked, and the next one has all devices", async () => {
    const { client, token } = await server.signIn(demo.user);
    const started = await Promise.all([1, 2, 3].map(() => startDevice(client)));
    for (const { uuid } of started) await untilState(client, uuid, "ONLINE");
    const before = await server.instances();
    const leases = await server.leases();

    // Clients that go on asking, on open connections and new ones, until nobody listens.
    const statuses = new Map<number, number>();
    const ask = async (): Promise<void> => {
      for (;;) {
        const response = await fetch(`${server.url}/cloud/v2/instances`, {
          headers: { authorization: `Bearer ${token}` },
        });
        await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }
    };
    const asking = Array.from({ length: 10 }, () => ask().catch((error: unknown) => error));
    await eventually("requests are under way", async () => (statuses.get(200) ?? 0) > 50);
    expect(await server.terminate()).toBe(0);
    await Promise.all(asking);
    expect([...statuses.keys()]).toEqual([200]);

    await server.start();
    const after = await untilTakenOn(server, leases);
    const facts = (rows: typeof before) => rows.map(({ uuid, state, adb }) => [uuid, state, adb]);
    expect(facts(after)).toEqual(facts(before));
    expect(before).toHaveLength(3);
  });

  it("completes starts that were interrupted, and devices that were asked to stop", async () => {
    const { client } = await server.signIn(demo.user);
    const [first] = await server.instances();
    await client.instances.stop({ params: { uuid: first!.uuid } });
    const starting = await Promise.all([1, 2].map(() => startDevice(client)));
    expect(await server.terminate()).toBe(0);
    await server.start();
    const again = await server.signIn(demo.user);
    for (const { uuid } of starting) await untilState(again.client, uuid, "ONLINE");
    await eventually("the first is gone", async () =>
      (await server.instances()).every(({ uuid }) => uuid !== first!.uuid),
    );
    expect((await server.instances()).map(({ state }) => state)).toEqual(["ONLINE", "ONLINE", "ONLINE", "ONLINE"]);
  });
});
