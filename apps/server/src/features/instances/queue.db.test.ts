import type { Group, Instance, Recipe } from "@terrarium/contract";
import { type DeviceRuntime, NoSlotError } from "@terrarium/runtime";
import type { FakeRuntimeOptions } from "@terrarium/runtime/testing";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { transaction } from "../../platform/db/transaction.ts";
import { createTestApp } from "../../testing/app.ts";
import { aGroup, anOrganization } from "../../testing/factories.ts";
import { aGateway, aRuntime } from "../../testing/gateway.ts";
import { untilBlocked } from "../../testing/until-blocked.ts";
import { listDevices } from "../billing/minutes.store.ts";
import { listOfficial } from "../operator/operator.store.ts";
import { findOperated } from "../operator/organizations.store.ts";
import { findOrganization } from "../organizations/organizations.store.ts";
import { listUnattended } from "./gateways.ts";
import { watchQueue } from "./queue.jobs.ts";
import { lockZone, setZoneLimit } from "./queue.store.ts";
import { listWaiting, startsAt } from "./queue.ts";
import { limitZone, listZones } from "./zone-limits.ts";

/** People of organizations that may have so many devices, and a gateway with so many slots. */
async function crowd({ max = 10, ...options }: { max?: number } & FakeRuntimeOptions = {}) {
  const test = await createTestApp();
  const { db, clock } = test;
  const { runtime, machines } = aRuntime("here", options);
  const person = async (instances_max = max, of?: string) => {
    const organization = of ?? (await anOrganization(db, { instances_max }));
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
      /** A start of what is made otherwise. */
      async askOther(body: object = { queue: true }) {
        const { results } = (await who.get("/v3/recipes?page_size=-1")).json<{ results: Recipe[] }>();
        const other = results.find(
          ({ hardware_profile }) => hardware_profile?.uuid !== results[0]?.hardware_profile?.uuid,
        );
        const asked = { instance_name: "other", rename_on_conflict: true, ...body };
        return (await who.post(`/v1/recipes/${other?.uuid}/start-disposable`, asked)).json<Instance>();
      },
    };
  };
  return {
    ...test,
    machines,
    runtime,
    person,
    robin: await person(),
    gateway: (name?: string) => aGateway(test, runtime, { name }),
    look: () => watchQueue.run({ db, clock }),
    /** In seconds of the clock's, as gateways look again with each beat. */
    settled: async (uuid: string, state: string) => {
      const look = async () => {
        await clock.advance(1_000);
        return test.instance(uuid);
      };
      await expect.poll(look, { timeout: 15_000, interval: 100 }).toBe(state);
    },
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
              .select(["queued_at", "lease_holder", "place"])
              .where("uuid", "=", uuid)
              .executeTakeFirst(),
          { timeout: 10_000 },
        )
        .toMatchObject({ queued_at: expect.any(Date), lease_holder: null, place: null }),
  };
}

/** Answers the starts of a runtime by hand, in the order in which they were asked for. */
function byHand(runtime: DeviceRuntime) {
  const starts: { id: string; refuse(): void }[] = [];
  runtime.start = ({ id }, signal) =>
    new Promise((_, reject) => {
      starts.push({ id, refuse: () => reject(new NoSlotError("full")) });
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  const ids = () => starts.map(({ id }) => id);
  return { starts, ids, asked: async (uuid: string) => await expect.poll(ids, { timeout: 10_000 }).toContain(uuid) };
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
    expect((await events.execute()).map(({ event }) => event)).toEqual(["ask"]);
    // A machine that ends without a word, as of another service on the same host.
    machines.delete(first.uuid);
    await expect.poll(async () => (await clock.advance(3_000), machines.has(uuid)), { timeout: 10_000 }).toBe(true);
  });

  it("waits if its organization wants that, unless it says otherwise", async () => {
    const { db, robin, operator } = await crowd();
    await limitZone(operator, "europe", 0, operator.by);
    const put = await robin.put(`/v1/organizations/${robin.organization}`, { preferences: { queue: true } });
    expect(put.json()).toMatchObject({ preferences: { queue: true } });
    expect(await robin.ask({})).toMatchObject({ state: "CREATING", queue: { place: 1 } });
    expect(await robin.ask({ queue: false })).toMatchObject({ code: "NO_SLOT_AVAILABLE" });
    await db.updateTable("organizations").set({ queues: false }).execute();
    expect(await robin.ask({})).toMatchObject({ code: "NO_SLOT_AVAILABLE" });
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
    // Nobody waits for longer than half a day.
    expect(startsAt(13, 1, now)).toBeNull();
  });

  it("says so by what has made room for its kind, not by devices that nobody had", async () => {
    const { db, robin, gateway, settled, waits, look } = await crowd({ slots: 1 });
    await gateway();
    const first = await robin.ask({});
    await settled(first.uuid, "ONLINE");
    const [second, third] = [await robin.ask(), await robin.ask()];
    await waits(second.uuid);
    await robin.stop(first.uuid);
    await settled(second.uuid, "ONLINE");
    const ended = db.selectFrom("instances").where("uuid", "=", first.uuid);
    const { snapshot } = await ended.select("snapshot").executeTakeFirstOrThrow();
    const elsewhere = { ...snapshot, osImage: { ...snapshot.osImage, runtime: "emulator" } };
    const own = { is_warm: false, zone: "europe", snapshot: JSON.stringify(snapshot) };
    for (const other of [{ is_warm: true }, { zone: "asia" }, { snapshot: JSON.stringify(elsewhere) }, undefined]) {
      await db
        .updateTable("instances")
        .set({ ...own, ...other })
        .where("uuid", "=", first.uuid)
        .execute();
      await look();
      expect(typeof (await robin.read(third.uuid)).queue?.starts_at).toBe(other ? "object" : "string");
    }
  });

  it("is not failed by what was measured of an earlier try", async () => {
    const { db, robin, gateway, settled, waits, runtime, clock } = await crowd({ slots: 1 });
    await gateway();
    const first = await robin.ask({});
    await settled(first.uuid, "ONLINE");
    const { uuid } = await robin.ask();
    await waits(uuid);
    const measured = { ran_ms: 300_000, measured_at: new Date(clock.now()) };
    await db.updateTable("instances").set(measured).where("uuid", "=", uuid).execute();
    runtime.machines.isStalled = true;
    await robin.stop(first.uuid);
    const tried = () => db.selectFrom("instances").select(["lease_holder", "ran_ms"]).where("uuid", "=", uuid);
    await expect.poll(() => tried().executeTakeFirst()).toEqual({ lease_holder: "one", ran_ms: 0 });
  });

  it("ends with a gateway that ends its devices", async () => {
    const { robin, gateway, settled, waits } = await crowd({ slots: 0 });
    const only = await gateway();
    const { uuid } = await robin.ask();
    await waits(uuid);
    await only.end();
    await expect(settled(uuid, "DELETED")).resolves.toBeUndefined();
  });

  it("ends at once if it was stopped while there was no room for it", async () => {
    const { db, robin, gateway, settled, runtime } = await crowd();
    runtime.start = async ({ id }) => {
      // Of which its gateway has not heard yet.
      await db.updateTable("instances").set({ state: "STOPPING" }).where("uuid", "=", id).execute();
      throw new NoSlotError("full");
    };
    await gateway();
    const { uuid } = await robin.ask();
    await expect(settled(uuid, "DELETED")).resolves.toBeUndefined();
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
    await settled((await kim.askOther({})).uuid, "ERROR");
  });

  it("is that of who asked first, of those with equal shares", async () => {
    const { db, clock, robin, person, operator } = await crowd();
    await limitZone(operator, "europe", 0, operator.by);
    const asked = [(await robin.ask()).uuid, (await (await person()).ask()).uuid];
    // Whatever chance makes of their ids.
    const inOrder = asked.toSorted().toReversed();
    for (const [place, uuid] of inOrder.entries())
      await db
        .updateTable("instances")
        .set({ created_at: new Date(clock.now() + place) })
        .where("uuid", "=", uuid)
        .execute();
    expect((await listWaiting(db)).map(({ uuid }) => uuid)).toEqual(inOrder);
  });

  it("is that of one again for which room may have come while it was tried", async () => {
    const { db, clock, robin, gateway, runtime, waits } = await crowd();
    const { starts, ids, asked } = byHand(runtime);
    await gateway();
    const { uuid } = await robin.ask();
    await asked(uuid);
    starts[0]?.refuse();
    await waits(uuid);
    await clock.advance(3_000);
    const tries = () => ids().filter((id) => id === uuid).length;
    await expect.poll(tries, { timeout: 10_000 }).toBe(2);
    await sql`SELECT pg_notify('instance_changed', '{"uuid": "00000000-0000-4000-8000-000000000000", "state": "DELETED"}')`.execute(
      db,
    );
    // Of which the gateway hears after that.
    await asked((await robin.askOther({})).uuid);
    starts[1]?.refuse();
    await expect.poll(tries, { timeout: 10_000 }).toBe(3);
  });

  it("is nobody's of a kind for which there was no room a moment ago, not even at a first try", async () => {
    const { robin, person, gateway, runtime, waits } = await crowd();
    const { starts, ids, asked } = byHand(runtime);
    await gateway();
    const { uuid } = await robin.ask();
    await asked(uuid);
    starts[0]?.refuse();
    await waits(uuid);
    const kim = await person();
    expect((await kim.ask()).queue).toMatchObject({ place: 2 });
    const others: string[] = [];
    for (let other = 0; other < 3; other++) {
      others.push((await kim.askOther({})).uuid);
      // The gateway has looked at the queue at each before.
      await asked(others.at(-1)!);
    }
    expect(ids()).toEqual([uuid, ...others]);
  });

  it("comes for nobody who may not start any more", async () => {
    const { robin, person, gateway, waits, settled, db, look, instance } = await crowd({ slots: 1 });
    await gateway();
    const running = await robin.ask({});
    await settled(running.uuid, "ONLINE");
    const [kim, ines, noa] = [await person(), await person(), await person()];
    const [disabled, unpaid, next] = [await kim.ask(), await ines.ask(), await noa.ask()];
    for (const { uuid } of [disabled, unpaid, next]) await waits(uuid);
    await db.updateTable("users").set({ is_enabled: false }).where("uuid", "=", kim.user.uuid).execute();
    await db.updateTable("organizations").set({ is_unpaid: true }).where("uuid", "=", ines.organization).execute();
    await robin.stop(running.uuid);
    await settled(next.uuid, "ONLINE");
    expect([await instance(disabled.uuid), await instance(unpaid.uuid)]).toEqual(["CREATING", "CREATING"]);
    await look();
    expect(await ines.read(unpaid.uuid)).toMatchObject({ state: "ERROR", reason: "plan_suspended" });
    expect(await instance(disabled.uuid)).toBe("ERROR");
  });

  it("is written for all that wait at once", async () => {
    const { db, clock, robin, gateway, waits } = await crowd({ slots: 0 });
    await gateway();
    for (let count = 0; count < 4; count++) await waits((await robin.ask()).uuid);
    let queries = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => (queries++, node),
      transformResult: ({ result }) => Promise.resolve(result),
    });
    await watchQueue.run({ db: counted, clock });
    expect(queries).toBe(4);
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

  it("lets one in for each that has ended, whatever they are made of and whichever gateway has room", async () => {
    const { person, gateway, settled, instance, clock, machines } = await crowd();
    await gateway("one");
    await gateway("two");
    const ines = await person(2);
    const running = [(await ines.ask({})).uuid, (await ines.ask({})).uuid];
    for (const uuid of running) await settled(uuid, "ONLINE");
    const asked = [(await ines.ask()).uuid, (await ines.askOther()).uuid];
    await ines.stop(running[0]!);
    const online = async () => (await Promise.all(asked.map(instance))).filter((state) => state === "ONLINE").length;
    const look = async () => (await clock.advance(1_000), online());
    await expect.poll(look, { timeout: 15_000, interval: 100 }).toBe(1);
    await clock.advance(6_000);
    expect([await online(), machines.size]).toEqual([1, 2]);
  });

  it("counts one that waited and is tried, not those that only wait", async () => {
    const { db, person, gateway, settled, runtime, instance } = await crowd();
    await gateway();
    const ines = await person(1);
    const first = await ines.ask({});
    await settled(first.uuid, "ONLINE");
    const second = await ines.ask();
    const counted = async () => [
      (await findOrganization(db, ines.organization))?.running_instances,
      (await findOperated(db, [ines.organization])).get(ines.organization)?.running_instances,
      (await listOfficial(db)).reduce((sum, { running_instances }) => sum + running_instances, 0),
      (await listDevices(db, ines.organization, ["CREATING", "ONLINE"])).filter(({ waits }) => !waits).length,
    ];
    expect(await counted()).toEqual([1, 1, 1, 1]);
    runtime.machines.isStalled = true;
    await ines.stop(first.uuid);
    await settled(first.uuid, "DELETED");
    await expect.poll(counted).toEqual([1, 1, 1, 1]);
    expect(await instance(second.uuid)).toBe("CREATING");
    expect(await ines.askOther({})).toMatchObject({ code: "TOO_MANY_RUNNING_VDS" });
  });
});

describe("the allocation of a group", () => {
  /** Kim's group may have so many devices; robin is in no group. */
  const grouped = async (group_allocation = 1) => {
    const test = await crowd();
    const kim = await test.person();
    const robin = await test.person(0, kim.organization);
    const group = await aGroup(test.db, kim.organization, { group_allocation, people: [kim] });
    const counted = async () =>
      (await kim.get("/v1/groups")).json<Group[]>().find(({ uuid }) => uuid === group)?.running_instances;
    return { ...test, kim, robin, group, counted };
  };

  it("is waited for on request, and what waits does not count for it", async () => {
    const { gateway, kim, counted, settled, instance } = await grouped();
    await gateway();
    const first = await kim.ask({});
    await settled(first.uuid, "ONLINE");
    expect(await kim.ask({})).toMatchObject({ code: "GROUP_ALLOCATION_REACHED" });
    const second = await kim.ask();
    expect([second.queue?.place, await counted(), await instance(second.uuid)]).toEqual([1, 1, "CREATING"]);
    await kim.stop(first.uuid);
    await settled(second.uuid, "ONLINE");
    expect(await counted()).toBe(1);
  });

  it("is in the way of nobody else, and lets in who waits when it grows", async () => {
    const { db, gateway, kim, robin, group, settled, instance } = await grouped();
    await gateway();
    await settled((await kim.ask({})).uuid, "ONLINE");
    const waiting = await kim.ask();
    expect(await listWaiting(db)).toMatchObject([{ uuid: waiting.uuid, has_room: false, is_own_limit: true }]);
    for (const body of [{}, { queue: true }]) await settled((await robin.ask(body)).uuid, "ONLINE");
    expect(await instance(waiting.uuid)).toBe("CREATING");
    await kim.put(`/v1/groups/${group}`, { quotas: { group_allocation: 2 } });
    await settled(waiting.uuid, "ONLINE");
  });

  it("lets one in for each that has ended, whichever gateway has room", async () => {
    const { gateway, kim, settled, instance, clock, machines } = await grouped(2);
    await gateway("one");
    await gateway("two");
    const running = [(await kim.ask({})).uuid, (await kim.ask({})).uuid];
    for (const uuid of running) await settled(uuid, "ONLINE");
    const asked = [(await kim.ask()).uuid, (await kim.askOther()).uuid];
    await kim.stop(running[0]!);
    const online = async () => (await Promise.all(asked.map(instance))).filter((state) => state === "ONLINE").length;
    const look = async () => (await clock.advance(1_000), online());
    await expect.poll(look, { timeout: 15_000, interval: 100 }).toBe(1);
    await clock.advance(6_000);
    expect([await online(), machines.size]).toEqual([1, 2]);
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

  it("lets none in if it is 0", async () => {
    const { db, operator, robin } = await crowd();
    await limitZone(operator, "europe", 0, operator.by);
    const { uuid } = await robin.ask();
    expect(await listWaiting(db)).toMatchObject([{ uuid, has_room: false }]);
  });

  it("is seen by a start that comes while it changes", async () => {
    const { db, operator } = await crowd();
    await limitZone(operator, "europe", 3, operator.by);
    const changed = Promise.withResolvers<void>();
    const changing = transaction(db, async (trx) => {
      await setZoneLimit(trx, "europe", 2);
      await changed.promise;
    });
    const seen = transaction(db, (trx) => lockZone(trx, "europe"));
    await untilBlocked(db);
    changed.resolve();
    await changing;
    expect(await seen).toEqual({ max: 2, count: 0 });
  });

  it("is of its zone alone", async () => {
    const { db, operator, robin } = await crowd();
    const limit = (zone: string, devices?: number) => limitZone(operator, zone, devices, operator.by);
    const { uuid } = await robin.ask({});
    for (const zone of ["europe", "north america"]) await limit(zone, 0);
    const waiting = await robin.ask();
    await db.updateTable("instances").set({ zone: "north america" }).where("uuid", "=", uuid).execute();
    await limit("europe", 1);
    expect(await transaction(db, (trx) => lockZone(trx, "europe"))).toEqual({ max: 1, count: 0 });
    expect(await listWaiting(db)).toMatchObject([{ uuid: waiting.uuid, has_room: true }]);
    await limit("north america");
    expect(await listZones(db)).toMatchObject([
      { zone: "europe", devices: 0, waiting: 1, devices_max: 1 },
      { zone: "north america", devices: 1, devices_max: null },
    ]);
  });

  it("is one of a zone that there is", async () => {
    const { operator } = await crowd();
    await expect(limitZone(operator, "mars", 3, operator.by)).rejects.toThrow("There is no zone mars");
  });
});
