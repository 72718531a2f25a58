import { abortable, aborted, TestClock } from "@terrarium/clock";
import type { InstanceState } from "@terrarium/contract";
import { aMachineSpec, FakeMachines, fakeRuntime } from "@terrarium/runtime/testing";
import { expect, it } from "vitest";
import { Gate } from "../../platform/gate.ts";
import { createLog } from "../../platform/log.ts";
import type { ClaimedInstance } from "./leases.store.ts";
import { superviseDevice, type SupervisedDeviceDeps } from "./supervised-device.ts";

const aWarmDevice = () => {
  const deps = {
    clock: new TestClock(),
    log: createLog("silent", "test"),
    keepDevicesMs: 0,
  } as unknown as SupervisedDeviceDeps;
  const row = { state: "CREATED", is_warm: true, lease_epoch: 1, ran_ms: 0, idle_ms: 0, measured_at: null };
  return superviseDevice(deps, row as unknown as ClaimedInstance, new Promise(() => undefined));
};

it.each(["ONLINE", "SAVING"] as const)("a device that is said to be %s has been handed out", (state) => {
  const life = aWarmDevice();
  life.stateChanged("BOOTING");
  expect(life.isWarm()).toBe(true);
  life.stateChanged(state);
  expect([life.isWarm(), life.isOnline()]).toEqual([false, true]);
});

/** Devices, so many of which are linked at once that run already, and what happens to them. `link` answers when one is linked. */
function manyDevices(
  atOnce: number,
  link: (instance: string, signal: AbortSignal) => Promise<unknown>,
  wanted: (signal: AbortSignal) => Promise<unknown> = aborted,
) {
  const runtime = fakeRuntime({ name: "simulator", machines: new FakeMachines() });
  const clock = new TestClock();
  const done: string[] = [];
  const deps = {
    clock,
    log: createLog("silent", "test"),
    keepDevicesMs: 0,
    runtimes: new Map([[runtime.name, runtime]]),
    relinks: new Gate({ maxRunning: atOnce, maxWaiting: Infinity, maxWaitingPerLane: Infinity }),
    connect: async (instance: string, _: unknown, signal: AbortSignal) => {
      done.push(`link ${instance}`);
      await link(instance, signal);
      return {
        booted: async () => undefined,
        wanted: async (waiting: AbortSignal) => {
          done.push(`wait ${instance}`);
          await wanted(waiting);
        },
        openDisplay: async (opening: AbortSignal) => {
          done.push(`open ${instance}`);
          await aborted(opening);
          throw opening.reason;
        },
        gone: new AbortController().signal,
        close: async () => undefined,
      };
    },
  } as unknown as SupervisedDeviceDeps;
  const run = (id: string, state: InstanceState = "ONLINE") => {
    const spec = aMachineSpec({ id });
    runtime.machines.begin(spec);
    const snapshot = { hardwareProfile: { displays: [] }, osImage: { runtime: runtime.name } };
    const row = { uuid: id, boot: spec.boot, state, lease_epoch: 1, ran_ms: 0, idle_ms: 0, snapshot };
    return superviseDevice(deps, row as unknown as ClaimedInstance);
  };
  return { clock, done, run };
}

it("of devices that run already some are linked at a time, and none is painted that nobody wants", async () => {
  const linked = Promise.withResolvers<void>();
  const { done, run } = manyDevices(2, (_, signal) => abortable(linked.promise, signal));
  const [a, , c] = ["a", "b", "c", "d"].map((id) => run(id));
  await expect.poll(() => done).toEqual(["link a", "link b"]);
  // One that boots waits for none of them.
  run("e", "BOOTING");
  await expect.poll(() => done).toEqual(["link a", "link b", "link e"]);
  await c?.leave();
  await a?.leave();
  await expect.poll(() => done.slice(3)).toEqual(["link d"]);
  linked.resolve();
  await expect.poll(() => done.slice(4)).toEqual(["open e", "wait b", "wait d"]);
});

it("of devices that run already some are painted at a time, though all are wanted at once", async () => {
  const wanted = Promise.withResolvers<void>();
  const { done, run } = manyDevices(
    2,
    async () => undefined,
    () => wanted.promise,
  );
  const [a, , c] = ["a", "b", "c", "d"].map((id) => run(id));
  await expect.poll(() => done.filter((what) => what.startsWith("wait"))).toHaveLength(4);
  wanted.resolve();
  const opened = () => done.filter((what) => what.startsWith("open"));
  await expect.poll(opened).toEqual(["open a", "open b"]);
  await c?.leave();
  await a?.leave();
  await expect.poll(opened).toEqual(["open a", "open b", "open d"]);
});

it("of devices that run already those that did not answer take turns with the others", async () => {
  const silent = new Set(["a", "b"]);
  const { clock, done, run } = manyDevices(1, async (id, signal) => {
    if (silent.delete(id)) throw new Error("nobody answers");
    await aborted(signal);
  });
  const a = run("a");
  run("b");
  await expect.poll(() => done).toEqual(["link a", "link b"]);
  const c = run("c");
  await expect.poll(() => done.slice(2)).toEqual(["link c"]);
  await clock.advance(500);
  const d = run("d");
  await new Promise((resolve) => setImmediate(resolve));
  for (const life of [c, a, d]) await life.leave();
  await expect.poll(() => done.slice(3)).toEqual(["link a", "link d", "link b"]);
});
