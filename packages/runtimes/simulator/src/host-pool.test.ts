import { TestClock } from "@terrarium/clock";
import { NoSlotError } from "@terrarium/runtime";
import { aMachineSpec } from "@terrarium/runtime/testing";
import type { Gone } from "@terrarium/simulator";
import { beforeEach, describe, expect, it } from "vitest";
import { HostPool, type HostPoolOptions } from "./host-pool.ts";
import { FakeHosts } from "./testing/fake-hosts.ts";

const never = new AbortController().signal;
const SECOND = 1_000;

let clock: TestClock;
let hosts: FakeHosts;
let gone: Gone[];
let log: string[];
beforeEach(() => {
  clock = new TestClock();
  hosts = new FakeHosts();
  gone = [];
  log = [];
});

const aPool = (options: Partial<HostPoolOptions> = {}): HostPool =>
  new HostPool({
    processes: hosts,
    clock,
    log: (line) => log.push(line),
    maxDevices: 100,
    devicesPerHost: 4,
    spread: 2,
    onGone: (one) => gone.push(one),
    ...options,
  });

/** Starts devices, and whatever is started ahead for the next. */
async function start(pool: HostPool, ...ids: string[]): Promise<void> {
  for (const id of ids) {
    await pool.start(aMachineSpec({ id }), never);
    await clock.advance(0);
  }
}
const stop = async (pool: HostPool, ...ids: string[]): Promise<void> => {
  for (const id of ids) await pool.find(id)!.connection.ask("stop", { id });
};

describe("where devices start", () => {
  it("on as many processes as share them, on the one with the fewest, then on more once these are full", async () => {
    const pool = aPool();
    await pool.prepare();
    expect(hosts.done).toEqual(["spawn 0"]);
    await start(pool, "a", "b", "c");
    expect(hosts.devices).toEqual({ 0: 2, 1: 1 });
    await start(pool, "d", "e", "f", "g");
    expect(hosts.devices).toEqual({ 0: 4, 1: 3 });
    // The next one is ready before it is needed.
    await start(pool, "h");
    expect(hosts.devices).toEqual({ 0: 4, 1: 4, 2: 0 });
    await start(pool, "i");
    expect(hosts.devices).toEqual({ 0: 4, 1: 4, 2: 1 });
  });

  it("never on more of one process than it has, however many start at once", async () => {
    const pool = aPool({ spread: 1 });
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    await Promise.all(ids.map((id) => pool.start(aMachineSpec({ id }), never)));
    expect(hosts.devices).toEqual({ 0: 4, 1: 4, 2: 1 });
  });

  it("elsewhere when another server takes the last place at the same time", async () => {
    const [pool, other] = [aPool({ spread: 1, devicesPerHost: 2 }), aPool({ spread: 1, devicesPerHost: 2 })];
    await start(pool, "a", "b", "c");
    await other.machines();
    await Promise.all([start(pool, "d"), start(other, "e")]);
    expect(hosts.devices).toEqual({ 0: 2, 1: 2, 2: 1 });
  });

  it("on exactly as many places as there are", async () => {
    const pool = aPool({ maxDevices: 6 });
    await start(pool, "a", "b", "c", "d", "e", "f");
    expect(hosts.devices).toEqual({ 0: 4, 1: 2 });
    await expect(start(pool, "g")).rejects.toBeInstanceOf(NoSlotError);
    await stop(pool, "a");
    await start(pool, "g");
    expect(hosts.devices).toEqual({ 0: 4, 1: 2 });
  });

  it("on the process that has an earlier boot of the device", async () => {
    const pool = aPool();
    await start(pool, "a", "b");
    await pool.start(aMachineSpec({ id: "b", boot: 2 }), never);
    expect(hosts.devices).toEqual({ 0: 1, 1: 1 });
    expect(await pool.machines()).toMatchObject([{ id: "a" }, { id: "b", boot: 2 }]);
  });

  it("where another server started a process with room", async () => {
    const [pool, other] = [aPool({ spread: 1 }), aPool({ spread: 1 })];
    await start(pool, "a");
    await start(other, "b");
    expect(hosts.devices).toEqual({ 0: 2 });
    expect((await pool.machines()).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("the heartbeat", () => {
  it("ends a process that stops answering within 10 s, says which devices are gone, and leaves the others", async () => {
    const pool = aPool();
    await start(pool, "a", "b");
    await clock.advance(60 * SECOND);
    expect(hosts.done).toEqual(["spawn 0", "spawn 1"]);
    hosts.running.get(0)!.isStopped = true;
    await clock.advance(5 * SECOND);
    expect(gone).toEqual([]);
    await clock.advance(5 * SECOND);
    expect(gone).toEqual([{ id: "a", boot: 1, reason: "the host process did not answer and was ended" }]);
    expect(hosts.done).toContain("kill 0");
    expect(await pool.machines()).toMatchObject([{ id: "b" }]);
    // It can be started again.
    await start(pool, "a");
    expect(await pool.machines()).toHaveLength(2);
  });

  it("forgives a process that answers again in time", async () => {
    const pool = aPool();
    await start(pool, "a");
    for (let each = 0; each < 3; each++) {
      hosts.running.get(0)!.isStopped = true;
      await clock.advance(4 * SECOND);
      hosts.running.get(0)!.isStopped = false;
      await clock.advance(4 * SECOND);
    }
    expect(gone).toEqual([]);
  });

  it("starts a device elsewhere while a process is late, and one that waited for it after its end", async () => {
    const pool = aPool({ spread: 1 });
    await start(pool, "a");
    hosts.running.get(0)!.isStopped = true;
    const waiting = pool.start(aMachineSpec({ id: "b" }), never);
    await clock.advance(4 * SECOND);
    const elsewhere = pool.start(aMachineSpec({ id: "c" }), never);
    await clock.advance(0);
    expect((await elsewhere).link.number).toBe(1);
    await clock.advance(4 * SECOND);
    expect((await waiting).link.number).toBe(1);
    expect(gone).toEqual([expect.objectContaining({ id: "a" })]);
  });

  it("prefers a process that answers to one with fewer devices", async () => {
    const pool = aPool();
    await start(pool, "a", "b", "c");
    hosts.running.get(1)!.isStopped = true;
    await clock.advance(4 * SECOND);
    await start(pool, "d");
    expect(hosts.devices).toEqual({ 0: 3, 1: 1 });
  });

  it("gives up a start whose process ends twice: the device may be the cause", async () => {
    const pool = aPool();
    await start(pool, "a", "b", "c");
    hosts.startsHang = true;
    const outcome = pool.start(aMachineSpec({ id: "d" }), never).catch((error: unknown) => error);
    await clock.advance(60 * SECOND);
    expect(await outcome).toMatchObject({ code: "ENDING" });
    expect(hosts.done.filter((one) => one.startsWith("kill"))).toHaveLength(2);
  });

  it("ends a process that does not answer the next server", async () => {
    const before = aPool({ spread: 2 });
    await start(before, "a", "b");
    before.close();
    hosts.running.get(1)!.isStopped = true;
    const pool = aPool();
    const listing = pool.machines();
    await clock.advance(6 * SECOND);
    expect(await listing).toMatchObject([{ id: "a" }]);
    expect(hosts.done).toContain("kill 1");
  });
});

describe("processes without devices", () => {
  it("end after half a minute, once a fresh one is ready", async () => {
    const pool = aPool();
    await start(pool, "a", "b", "c");
    await stop(pool, "a", "b", "c");
    await clock.advance(20 * SECOND);
    await start(pool, "d");
    await stop(pool, "d");
    await clock.advance(20 * SECOND);
    expect(hosts.done).toEqual(["spawn 0", "spawn 1", "end 1"]);
    await clock.advance(20 * SECOND);
    expect(hosts.done.slice(3)).toEqual(["spawn 1", "end 0"]);
    await clock.advance(600 * SECOND);
    expect(hosts.devices).toEqual({ 1: 0 });
  });

  it("all end if nobody wants to start any", async () => {
    const before = aPool();
    await start(before, "a");
    await stop(before, "a");
    before.close();
    const pool = aPool();
    expect(await pool.machines()).toEqual([]);
    await clock.advance(40 * SECOND);
    expect(hosts.devices).toEqual({});
  });
});

describe("shutdown", () => {
  it("ends every process, those that do not end by themselves after 5 s", async () => {
    const pool = aPool();
    await start(pool, "a", "b");
    hosts.running.get(1)!.isStopped = true;
    const shutdown = pool.shutdown();
    await clock.advance(5 * SECOND);
    await shutdown;
    expect(hosts.done).toEqual(["spawn 0", "spawn 1", "end 0", "kill 1"]);
    expect(clock.sleeping).toBe(0);
  });

  it("leaves the processes when the pool is only closed", async () => {
    const pool = aPool();
    await start(pool, "a");
    pool.close();
    await clock.advance(60 * SECOND);
    expect(hosts.devices).toEqual({ 0: 1, 1: 0 });
    expect([clock.sleeping, gone]).toEqual([0, []]);
    await expect(pool.machines()).rejects.toThrow("the runtime is closed");
  });
});
