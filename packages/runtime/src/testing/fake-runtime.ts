import type { Clock } from "@terrarium/clock";
import { type DeviceRuntime, NoSlotError } from "../device-runtime.ts";
import type { LayerStore } from "../layers.ts";
import type { AdbAddress, Machine, MachineCapability, MachineRef, MachineSpec } from "../machine.ts";
import { changesOf, type FakeState, readFakeState } from "./fake-state.ts";

interface Running {
  spec: MachineSpec;
  adb: AdbAddress;
  gone: AbortController;
  /** What is on it; a test changes it. */
  state: FakeState;
  /** What was on it when it started. */
  started: FakeState;
}

/** Where fake machines run. It outlives the runtimes that use it, as a host outlives a server. */
export class FakeMachines {
  /** The name of where they run. */
  readonly place: string;
  readonly running = new Map<string, Running>();
  /** What happened, in order: `start a/1`, `stop a/1`. */
  readonly done: string[] = [];
  /** Starts are not answered. */
  isStalled = false;
  #nextPort: number;

  constructor(place = "here", firstPort = 20_000) {
    this.place = place;
    this.#nextPort = firstPort;
  }

  begin(spec: MachineSpec, state: FakeState = new Map()): Running {
    const adb = { host: "127.0.0.1", port: this.#nextPort++ };
    const running = { spec, adb, gone: new AbortController(), state: new Map(state), started: state };
    this.running.set(spec.id, running);
    this.done.push(`start ${spec.id}/${spec.boot}`);
    return running;
  }

  /** The machine ends by itself. */
  crash(id: string): void {
    this.#end(id, "crash");
  }

  end(id: string): void {
    this.#end(id, "stop");
  }

  #end(id: string, how: "crash" | "stop"): void {
    const running = this.running.get(id);
    if (!running) return;
    this.running.delete(id);
    this.done.push(`${how} ${id}/${running.spec.boot}`);
    running.gone.abort(new Error(how));
  }
}

export interface FakeRuntimeOptions {
  name?: string;
  /** Pass the same to a second runtime to play a restart. */
  machines?: FakeMachines;
  slots?: number;
  capabilities?: readonly MachineCapability[];
  /** How long a start takes, by `clock`; with `Infinity` it waits until it is aborted. */
  startMs?: number;
  /** With it, machines can be saved. */
  layers?: LayerStore;
  /** How long a save takes, by `clock`; with `Infinity` it waits until it is aborted. */
  saveMs?: number;
  clock?: Clock;
}

/** A small working runtime for tests: its machines have an address, and nothing listens there. */
export function fakeRuntime({
  name = "fake",
  machines = new FakeMachines(),
  slots = Infinity,
  capabilities = ["scrcpy"],
  startMs = 0,
  layers,
  saveMs = 0,
  clock,
}: FakeRuntimeOptions = {}): DeviceRuntime & { machines: FakeMachines } {
  const wait = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (ms === Infinity) await rejectedBy(signal);
    else await clock?.sleep(ms, signal);
  };
  const save = async ({ spec, gone, state, started }: Running, store: LayerStore, signal: AbortSignal) => {
    machines.done.push(`save ${spec.id}/${spec.boot}`);
    const alive = AbortSignal.any([signal, gone.signal]);
    alive.throwIfAborted();
    const changes = changesOf(started, state);
    if (saveMs > 0) await wait(saveMs, alive);
    return changes ? [...spec.layers, await store.put(once(changes), alive)] : [...spec.layers];
  };
  const handle = (running: Running): Machine => ({
    ...properties(running),
    ...(layers && {
      async save({ onProgress }, signal) {
        const saved = await save(running, layers, signal);
        const total = saved.reduce((sum, { size }) => sum + size, 0);
        onProgress(total, total);
        signal.throwIfAborted();
        return saved;
      },
    }),
  });
  const properties = ({ spec, adb, gone }: Running): Machine => ({
    id: spec.id,
    boot: spec.boot,
    adb,
    capabilities: new Set([...capabilities, ...(layers ? ["save" as const] : [])]),
    gone: gone.signal,
    stop: async () => {
      if (machines.running.get(spec.id)?.gone === gone) machines.end(spec.id);
    },
  });
  return {
    name,
    machines,
    place: async () => machines.place,
    async start(spec, signal) {
      signal.throwIfAborted();
      const held = machines.running.get(spec.id);
      if (held?.spec.boot === spec.boot) return handle(held);
      if (held && held.spec.boot > spec.boot) throw new Error(`boot ${held.spec.boot} of this device runs`);
      if (held) machines.end(spec.id);
      if (machines.running.size >= slots) throw new NoSlotError(`all ${slots} places are taken`);
      if (startMs > 0 || machines.isStalled) await wait(machines.isStalled ? Infinity : startMs, signal);
      if (spec.layers.length === 0) return handle(machines.begin(spec));
      if (!layers) throw new Error("this runtime cannot start from a saved state");
      return handle(machines.begin(spec, await readFakeState(spec.layers, layers, signal)));
    },

    list: async () => [...machines.running.values()].map(({ spec: { id, boot } }): MachineRef => ({ id, boot })),

    async adopt({ id, boot }) {
      const held = machines.running.get(id);
      if (held && held.spec.boot < boot) machines.end(id);
      return held?.spec.boot === boot ? handle(held) : undefined;
    },

    stop: async (id) => machines.end(id),
    close: async () => undefined,
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const rejectedBy = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
