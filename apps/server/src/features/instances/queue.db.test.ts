import type { Instance, Recipe } from "@terrarium/contract";
import type { FakeRuntimeOptions } from "@terrarium/runtime/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { anOrganization } from "../../testing/factories.ts";
import { aGateway, aRuntime, until } from "../../testing/gateway.ts";
import { listUnattended } from "./gateways.ts";
import { watchQueue } from "./queue.jobs.ts";
import { startsAt } from "./queue.ts";
import { limitZone, listZones } from "./zone-limits.ts";

/** People of organizations that may have so many devices, and a gateway with so many slots. */
async function crowd({ max = 10, ...options }: { max?: number } & FakeRuntimeOptions = {}) {
  const test = await createTestApp();
  const { db, clock } = test;
  const { runtime, machines } = aRuntime("here", options);
  const person = async (instances_max = max) => {
    const organization = await anOrganization(db, { instances_max });
    const who = await test.as({ organization, role: "manager" });
    return {
      ...who,
      organization,
      async ask(body: object = { queue: true }) {
        // Who asks later stands behind.
        await clock.advance(1);
        return (await who.start(body)).json<Instance>();
      },
      read: async (uuid: string) => (await who.get(`/v1/instances/${uuid}`)).json<Instance>(),
      stop: (uuid: string) => who.post(`/v1/instances/${uuid}/stop-disposable`),
    };
  };
  return {
    ...test,
    machines,
    person,
    robin: await person(),
    gateway: () => aGateway(test, runtime),
    look: () => watchQueue.run({ db, clock }),
    settled: (uuid: string, state: string) => until(state, () => test.instance(uuid)),
    queued: async () =>
      (
        await db
          .selectFrom("instances")
          .select("name")
          .where("queued_at", "is not", null)
          .orderBy("queue_place")
          .execute()
      ).map(({ name }) => name),
    waits: async (uuid: string) =>
      await expect
        .poll(
          async () =>
            await db
              .selectFrom("instances")
              .select(["queued_at", "lease_holder"])
              .where("uuid", "=", uuid)
              .executeTakeFirst(),
          { timeout: 10_000 },
        )
        .toMatchObject({ queued_at: expect.any(Date), lease_holder: null }),
  };
}

describe("a start when nothing has room", () => {
  it("ends in an error, as ever, unless it asks to wait", async () => {
    const { robin, gateway, settled } = await crowd({ slots: 0 });
    await gateway();
    const { uuid, queue } = await robin.ask({});
    expect(queue).toBeNull();
    await settled(uuid, "ERROR");
    expect(await robin.read(uuid)).toMatchObject({ reason: "no_slot_available", queue: null });
  });

  it("waits if it asks to, with its place, and starts when there is room", async () => {
    const { robin, gateway, settled, waits, look, clock } = await crowd({ slots: 1 });
    await gateway();
    const first = await robin.ask({});
    await settled(first.uuid, "ONLINE");
    const second = await robin.ask();
    await waits(second.uuid);
    const third = await robin.ask();
    expect(third).toMatchObject({ state: "CREATING", queue: { place: 2, since: new Date(clock.now()).toISOString() } });
    await look();
    expect(await robin.read(second.uuid)).toMatchObject({ state: "CREATING", queue: { place: 1, starts_at: null } });
    await robin.stop(first.uuid);
    await settled(second.uuid, "ONLINE");
    expect(await robin.read(second.uuid)).toMatchObject({ queue: null });
    await look();
    expect(await robin.read(third.uuid)).toMatchObject({ state: "CREATING", queue: { place: 1 } });
  });

  it("is tried again with each beat, without another word of it", async () => {
    const { robin, gateway, waits, settled, clock, db, machines } = await crowd({ slots: 1 });
    await gateway();
    const first = await robin.ask({});
    await settled(first.uuid, "ONLINE");
    const { uuid } = await robin.ask();
    await waits(uuid);
    expect(await listUnattended(db)).toEqual([]);
    for (let beat = 0; beat < 5; beat++) {
      await clock.advance(3_000);
      await waits(uuid);
    }
    // It has not been starting for all this time.
    await clock.advance(300_000);
    await waits(uuid);
    const events = db.selectFrom("instance_events").select("event").where("instance_uuid", "=", uuid).orderBy("id");
    expect((await events.execute()).map(({ event }) => event)).toEqual(["ask", "queue"]);
    // A machine that ends without a word, as of another service on the same host.
    machines.delete(first.uuid);
    await expect.poll(async () => (await clock.advance(3_000), machines.has(uuid)), { timeout: 10_000 }).toBe(true);
  });

  it("can be called off", async () => {
    const { robin, gateway, waits, settled, look, queued } = await crowd({ slots: 0 });
    await gateway();
    const { uuid } = await robin.ask();
    await waits(uuid);
    await robin.stop(uuid);
    await settled(uuid, "DELETED");
    await look();
    expect(await queued()).toEqual([]);
  });

  it("ends after half a day", async () => {
    const { robin, gateway, waits, look, clock, instance } = await crowd({ slots: 0 });
    const only = await gateway();
    const { uuid } = await robin.ask();
    await waits(uuid);
    await only.leave();
    await clock.advance(12 * 60 * 60_000 - 1);
    await look();
    expect(await instance(uuid)).toBe("CREATING");
    await clock.advance(1);
    await look();
    expect(await instance(uuid)).toBe("ERROR");
  });

  it("says when it may start, by how many have ended within an hour", () => {
    const now = new Date("2026-01-05T08:00:00Z");
    expect(startsAt(3, 0, now)).toBeNull();
    expect(startsAt(3, 12, now)).toEqual(new Date("2026-01-05T08:15:00Z"));
    expect(startsAt(1, 1_000, now)).toEqual(new Date("2026-01-05T08:01:00Z"));
  });
});

describe("whose turn it is", () => {
  it("is that of the organization that has the fewest devices, not of who asked for the most", async () => {
    const { robin, person, gateway, waits, settled, look, queued } = await crowd({ slots: 1 });
    await gateway();
    const kim = await person();
    const running = await robin.ask({});
    await settled(running.uuid, "ONLINE");
    for (const name of ["r1", "r2", "r3"]) await waits((await robin.ask({ instance_name: name, queue: true })).uuid);
    for (const name of ["k1", "k2"]) await waits((await kim.ask({ instance_name: name, queue: true })).uuid);
    await look();
    expect(await queued()).toEqual(["k1", "r1", "k2", "r2", "r3"]);
  });

  it("is nobody's who asks later and does not wait", async () => {
    const { robin, person, gateway, waits, settled } = await crowd({ slots: 1 });
    await gateway();
    const running = await robin.ask({});
    await settled(running.uuid, "ONLINE");
    await waits((await robin.ask()).uuid);
    const kim = await person();
    expect(await kim.ask({})).toMatchObject({ code: "NO_SLOT_AVAILABLE" });
    // What is made otherwise may need another machine: those who do not wait try it, as ever.
    const { results } = (await kim.get("/v3/recipes?page_size=-1")).json<{ results: Recipe[] }>();
    const others = results.find(({ hardware_profile }) => hardware_profile.uuid !== results[0]?.hardware_profile.uuid);
    const other = await kim.post(`/v1/recipes/${others?.uuid}/start-disposable`, { instance_name: "other" });
    await settled(other.json<Instance>().uuid, "ERROR");
  });
});

describe("the limit of an organization", () => {
  it("refuses, as ever, unless the start asks to wait; then it starts when another has ended", async () => {
    const { robin: _, person, gateway, settled, instance } = await crowd();
    await gateway();
    const ines = await person(1);
    const first = await ines.ask({});
    await settled(first.uuid, "ONLINE");
    expect(await ines.ask({})).toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
    const { uuid, queue } = await ines.ask();
    expect(queue).toMatchObject({ place: 1 });
    // As many may wait as may run.
    expect(await ines.ask()).toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
    const kim = await person();
    const other = await kim.ask({});
    await settled(other.uuid, "ONLINE");
    expect(await instance(uuid)).toBe("CREATING");
    await ines.stop(first.uuid);
    await settled(uuid, "ONLINE");
  });
});

describe("the limit of a zone", () => {
  it("holds for all organizations together, also when many start at once", async () => {
    const { db, operator, person, gateway, settled, machines } = await crowd();
    await gateway();
    await limitZone(operator, "europe", 3, operator.by);
    const people = await Promise.all(Array.from({ length: 4 }, () => person()));
    const asked = await Promise.all(people.flatMap(({ ask }) => [ask({}), ask({})]));
    const refused = asked.filter((answer) => (answer as { code?: string }).code === "NO_SLOT_AVAILABLE");
    expect(refused).toHaveLength(5);
    const started = asked.flatMap(({ uuid }) => (uuid ? [uuid] : []));
    for (const uuid of started) await settled(uuid, "ONLINE");
    const waiting = await people[0]!.ask();
    expect(waiting.queue).toMatchObject({ place: 1 });
    expect(await listZones(db)).toEqual([{ zone: "europe", devices: 3, waiting: 1, devices_max: 3 }]);
    expect(machines.size).toBe(3);
    await limitZone(operator, "europe", undefined, operator.by);
    await sql`SELECT pg_notify('instance_changed', '{"uuid": "00000000-0000-4000-8000-000000000000", "state": "CREATING"}')`.execute(
      db,
    );
    await settled(waiting.uuid, "ONLINE");
    expect(await listZones(db)).toEqual([{ zone: "europe", devices: 4, waiting: 0, devices_max: null }]);
  });

  it("is one of a zone that there is", async () => {
    const { operator } = await crowd();
    await expect(limitZone(operator, "mars", 3, operator.by)).rejects.toThrow("There is no zone mars");
  });
});
