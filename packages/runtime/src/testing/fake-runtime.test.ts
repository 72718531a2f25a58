import { describe, expect, it } from "vitest";
import type { Machine } from "../machine.ts";
import { aMachineSpec } from "./a-machine-spec.ts";
import { describeRuntime } from "./describe-runtime.ts";
import { FakeMachines, fakeRuntime } from "./fake-runtime.ts";
import { MemoryLayers } from "./memory-layers.ts";

describeRuntime(
  "fake",
  async () => {
    const machines = new FakeMachines();
    return {
      runtime: fakeRuntime({ machines, slots: 3 }),
      restarted: async () => fakeRuntime({ machines }),
      slots: 3,
      listens: false,
      kill: async ({ id }) => machines.crash(id),
      stall: async () => (machines.isStalled = true),
      stranger: async () => fakeRuntime({ machines: new FakeMachines("there", 30_000) }),
      dispose: async () => undefined,
    };
  },
  { save: false, stall: true, stranger: true },
);

describeRuntime(
  "fake, whose machines can be saved",
  async () => {
    const machines = new FakeMachines();
    const layers = new MemoryLayers();
    const others = new FakeMachines("elsewhere");
    const stateOf = ({ id }: Machine) => (machines.running.get(id) ?? others.running.get(id))!.state;
    return {
      runtime: fakeRuntime({ machines, layers }),
      restarted: async () => fakeRuntime({ machines, layers }),
      slots: Infinity,
      listens: false,
      kill: async ({ id }) => machines.crash(id),
      saving: {
        layers,
        elsewhere: async () => fakeRuntime({ machines: others, layers }),
        write: async (machine, name, text) => void stateOf(machine).set(name, text),
        read: async (machine, name) => stateOf(machine).get(name),
        delete: async (machine, name) => void stateOf(machine).delete(name),
      },
      dispose: async () => undefined,
    };
  },
  { save: true },
);

describe("fakeRuntime", () => {
  it("tells that a machine is gone when it crashes", async () => {
    const runtime = fakeRuntime();
    const machine = await runtime.start(aMachineSpec({ id: "a" }), new AbortController().signal);
    runtime.machines.crash("a");
    expect(machine.gone.aborted).toBe(true);
    expect(runtime.machines.done).toEqual(["start a/1", "crash a/1"]);
  });
});
