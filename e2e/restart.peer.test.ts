import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, startDevice, untilState } from "./support/instances.ts";
import { demo, TestServer } from "./support/server.ts";

describe("a server that is killed", () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server?.stop());

  it("adopts its online devices after the restart", async () => {
    const { client } = await server.signIn(demo.user);
    const started = await Promise.all([1, 2, 3].map(() => startDevice(client)));
    for (const { uuid } of started) await untilState(client, uuid, "ONLINE");
    const before = await server.instances();

    await server.kill();
    await server.start();
    const after = await eventually("every device has its gateway", async () => {
      const rows = await server.instances();
      return rows.every((row) => row.gateway !== null) && rows;
    });
    const facts = (rows: typeof before) => rows.map(({ uuid, state, adb }) => [uuid, state, adb]);
    expect(facts(after)).toEqual(facts(before));

    // They can still be used and stopped.
    const again = await server.signIn(demo.user);
    for (const { uuid } of started) await again.client.instances.stop({ params: { uuid } });
    await eventually("all are gone", async () => (await server.instances()).length === 0);
  });

  it("completes starts that were interrupted", async () => {
    for (let round = 0; round < 3; round++) {
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
    }
  });
});
