import type { Clock } from "@terrarium/clock";
import {
  type DeviceRuntime,
  type Machine,
  type MachineCapability,
  type MachineRef,
  NoSlotError,
} from "@terrarium/runtime";
import { HostClient, HostError, type HostedMachine } from "@terrarium/simulator";
import { type HostCommand, spawnHost, socketPath } from "./spawn-host.ts";

export interface SimulatorRuntimeOptions {
  /** Holds the host's log, its socket and the devices' large files. */
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  /** The program of the host process; by default this same node with the simulator's own. */
  hostCommand?: HostCommand;
  /** The most devices at once, 1000 by default. A host that is already running keeps its own limit. */
  maxDevices?: number;
  /** How long the host waits for a server to come back before it ends, a minute by default. */
  orphanMs?: number;
  /** The most that one device may write, in MiB; 2048 by default. */
  maxDiskMb?: number;
}

export interface SimulatorRuntime extends DeviceRuntime {
  /** Ends all devices and the host process, where `close` leaves both. */
  shutdown(): Promise<void>;
}

const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["scrcpy"]);
const CONNECT_WAIT_MS = 25;
const START_TIMEOUT_MS = 15_000;

/** Simulates devices in a process of its own, which outlives this one and is adopted by the next. */
export function simulatorRuntime(options: SimulatorRuntimeOptions): SimulatorRuntime {
  return new Runtime(options);
}

class Runtime implements SimulatorRuntime {
  readonly name = "simulator";
  readonly #options: SimulatorRuntimeOptions;
  readonly #path: string;
  readonly #machines = new Map<string, { machine: Machine; gone: AbortController }>();
  #client: Promise<HostClient> | undefined;
  #closed = false;

  constructor(options: SimulatorRuntimeOptions) {
    this.#options = options;
    this.#path = socketPath(options.dataDir);
  }

  async start(spec: Parameters<DeviceRuntime["start"]>[0], signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    const client = await this.#host(true);
    if (signal.aborted || !client) throw signal.reason;
    const asked = client.ask("start", { spec });
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const hosted = await Promise.race([asked, aborted]);
      signal.throwIfAborted();
      return this.#machine(hosted, client);
    } catch (error) {
      if (signal.aborted) await this.#undo(asked, client);
      if (error instanceof HostError && error.code === "NO_SLOT")
        throw new NoSlotError(error.message, { cause: error });
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async prepare(): Promise<void> {
    await this.#host(true);
  }

  async list(): Promise<MachineRef[]> {
    const client = await this.#host(false);
    const hosted = (await client?.ask("list", {})) ?? [];
    return hosted.map(({ id, boot }) => ({ id, boot }));
  }

  async adopt(ref: MachineRef): Promise<Machine | undefined> {
    const client = await this.#host(false);
    const hosted = (await client?.ask("list", {}))?.find(({ id }) => id === ref.id);
    if (!client || !hosted) return undefined;
    if (hosted.boot === ref.boot) return this.#machine(hosted, client);
    if (hosted.boot < ref.boot) await client.ask("stop", { id: hosted.id, boot: hosted.boot });
    return undefined;
  }

  async stop(id: string): Promise<void> {
    const client = await this.#host(false);
    if (client) await stopOn(client, { id });
    this.#over(id);
  }

  async shutdown(): Promise<void> {
    const client = await this.#host(false);
    if (client) {
      await client.ask("shutdown", {});
      // It closes the connection once all its devices have ended.
      if (!client.closed.aborted)
        await new Promise((resolve) => client.closed.addEventListener("abort", resolve, { once: true }));
    }
    await this.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    client?.close();
    this.#client = undefined;
  }

  /** The connection to the host, by which it knows that it is adopted. With `spawn`, starts a host when there is none. */
  async #host(spawn: boolean): Promise<HostClient | undefined> {
    if (this.#closed) throw new Error("the runtime is closed");
    for (let held = this.#client; held; held = this.#client) {
      const client = await held.catch(() => undefined);
      if (client && !client.closed.aborted) return client;
      if (this.#client === held) this.#client = undefined;
    }
    const connecting = this.#connect(spawn);
    // Whoever asks in the meantime waits for the same one.
    const kept = connecting.then((client) => client ?? Promise.reject(new Error("no host runs")));
    kept.catch(() => (this.#client === kept ? (this.#client = undefined) : undefined));
    this.#client = kept;
    return connecting;
  }

  async #connect(spawn: boolean): Promise<HostClient | undefined> {
    const { clock } = this.#options;
    const deadline = clock.monotonic() + START_TIMEOUT_MS;
    let client = await this.#attach();
    if (!client && !spawn) return undefined;
    if (!client) {
      const host = spawnHost(this.#options, this.#path);
      this.#options.log(`simulator host ${host.pid} started`);
      while (!client) {
        // Another server may have started one at the same moment: then ours ends, and theirs answers.
        if (clock.monotonic() > deadline) throw new Error(`the simulator's host did not answer; see ${host.logFile}`);
        await clock.sleep(CONNECT_WAIT_MS);
        client = await this.#attach();
      }
    }
    return client;
  }

  /** A connection that is told of machines that end; undefined when no host answers, or when it is about to end. */
  async #attach(): Promise<HostClient | undefined> {
    const client = await HostClient.connect(this.#path);
    if (!client) return undefined;
    client.onGone = ({ id, boot, reason }) => {
      if (this.#machines.get(id)?.machine.boot === boot) this.#over(id, reason);
    };
    client.closed.addEventListener("abort", () => {
      if (!this.#closed)
        for (const id of Array.from(this.#machines.keys())) this.#over(id, "the simulator's host ended");
    });
    try {
      await client.ask("watch", {});
      return client;
    } catch (error) {
      // A killed process still takes connections for a moment, since its sockets are closed one after another.
      if (client.closed.aborted) return undefined;
      client.close();
      throw error;
    }
  }

  #machine({ id, boot, adb }: HostedMachine, client: HostClient): Machine {
    const held = this.#machines.get(id);
    if (held?.machine.boot === boot) return held.machine;
    if (held) this.#over(id, "a later boot runs");
    const gone = new AbortController();
    const stop = async () => {
      await stopOn(client, { id, boot });
      if (this.#machines.get(id)?.gone === gone) this.#over(id);
    };
    const machine: Machine = { id, boot, adb, capabilities: CAPABILITIES, gone: gone.signal, stop };
    this.#machines.set(id, { machine, gone });
    return machine;
  }

  /** Ends a start that nobody waits for any more. */
  async #undo(asked: Promise<HostedMachine>, client: HostClient): Promise<void> {
    try {
      const { id, boot } = await asked;
      await client.ask("stop", { id, boot });
    } catch {
      // It never was, or its host is gone.
    }
  }

  #over(id: string, reason = "stopped"): void {
    const held = this.#machines.get(id);
    this.#machines.delete(id);
    held?.gone.abort(new Error(`the device is over: ${reason}`));
  }
}

/** Stops a device; it is also stopped when its host is gone. */
async function stopOn(client: HostClient, which: { id: string; boot?: number }): Promise<void> {
  try {
    await client.ask("stop", which);
  } catch (error) {
    if (!client.closed.aborted) throw error;
  }
}
