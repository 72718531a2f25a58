import { TestClock } from "@terrarium/clock";
import { expect, it } from "vitest";
import { createLog } from "../../platform/log.ts";
import type { ClaimedInstance } from "./leases.store.ts";
import { superviseDevice } from "./supervised-device.ts";
import type { SupervisorDeps } from "./supervisor.ts";

const aWarmDevice = () => {
  const deps = {
    clock: new TestClock(),
    log: createLog("silent", "test"),
    keepDevicesMs: 0,
  } as unknown as SupervisorDeps;
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
