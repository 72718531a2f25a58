import { describe, expect, it } from "vitest";
import { aMachineSpec } from "./a-machine-spec.ts";
import { describeRuntime } from "./describe-runtime.ts";
import { FakeMachines, fakeRuntime } from "./fake-runtime.ts";

describeRuntime("fake", async () => {
  const machines = new FakeMachines();
  return {
    runtime: fakeRuntime({ machines, slots: 3 }),
    restarted: async () => fakeRuntime({ machines }),
    slots: 3,
    listens: false,
    dispose: async () => undefined,
  };
});

describe("fakeRuntime", () => {
  it("tells that a machine is gone when it crashes", async () => {
    const runtime = fakeRuntime();
    const machine = await runtime.start(aMachineSpec({ id: "a" }), new AbortController().signal);
    runtime.machines.crash("a");
    expect(machine.gone.aborted).toBe(true);
    expect(runtime.machines.done).toEqual(["start a/1", "crash a/1"]);
  });
});
