import { abortable, TestClock } from "@terrarium/clock";
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

it("devices that run already are linked some at a time, and those that wait can leave", async () => {
  const runtime = fakeRuntime({ name: "simulator", machines: new FakeMachines() });
  const linking: string[] = [];
  const linked = Promise.withResolvers<never>();
  linked.promise.catch(() => undefined);
  const deps = {
    clock: new TestClock(),
    log: createLog("silent", "test"),
    keepDevicesMs: 0,
    runtimes: new Map([[runtime.name, runtime]]),
    relinks: new Gate({ maxRunning: 2, maxWaiting: Infinity, maxWaitingPerLane: Infinity }),
    connect: (instance: string, _: unknown, signal: AbortSignal) => {
      linking.push(instance);
      return abortable(linked.promise, signal);
    },
  } as unknown as SupervisedDeviceDeps;
  const lives = ["a", "b", "c", "d"].map((id) => {
    const spec = aMachineSpec({ id });
    runtime.machines.begin(spec);
    const snapshot = { hardwareProfile: { displays: [] }, osImage: { runtime: runtime.name } };
    const row = { uuid: id, boot: spec.boot, state: "ONLINE", lease_epoch: 1, ran_ms: 0, idle_ms: 0, snapshot };
    return superviseDevice(deps, row as unknown as ClaimedInstance);
  });
  await expect.poll(() => linking).toEqual(["a", "b"]);
  await lives[2]?.leave();
  await lives[0]?.leave();
  await expect.poll(() => linking).toEqual(["a", "b", "c", "d"]);
  await Promise.all(lives.map((life) => life.leave()));
});
