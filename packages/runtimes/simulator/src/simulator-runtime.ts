import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { abortable, type Clock } from "@terrarium/clock";
import {
  type DeviceRuntime,
  type ImageSpec,
  LayerDamagedError,
  type LayerStore,
  type Machine,
  type MachineCapability,
  type MachineRef,
  type MachineSpec,
  NoSlotError,
  placeOf,
  Turns,
} from "@terrarium/runtime";
import { androidVersion, HostError, type HostedMachine } from "@terrarium/simulator";
import type { HostLink } from "./host-link.ts";
import { HostPool } from "./host-pool.ts";
import { type HostCommand, hostProcesses } from "./host-processes.ts";
import { LayerCache } from "./layer-cache.ts";
import { saveMachine } from "./save-machine.ts";

export interface SimulatorRuntimeOptions {
  /** Holds the hosts' log, their sockets and the devices' large files. */
  dataDir: string;
  clock: Clock;
  log: (line: string) => void;
  /** Where saved states are. */
  layers: LayerStore;
  /** How much of the layers is cached on this computer besides what devices use, in MiB; 10,240 by default. */
  layerCacheMb?: number;
  /** The program of a host process; by default this same node with the simulator's own. */
  hostCommand?: HostCommand;
  /** The most devices at once, 1000 by default. A host that is already running has its own limit. */
  maxDevices?: number;
  /** The most devices in one host process, 50 by default. */
  devicesPerHost?: number;
  /** How many processes share the devices before any is full; by default as many as there are cores, and at most 4. */
  spread?: number;
  /** How often a host is asked for a sign of life, 2 s by default; it is ended after three that it did not answer. */
  heartbeatMs?: number;
  /** How long a host waits for a server to come back before it ends, a minute by default. */
  orphanMs?: number;
  /**
   * The most that one device may write, in MiB; 2048 by default. A save with more than 512 MiB beyond it is refused, also from a host that
   * is already running and allows more.
   */
  maxDiskMb?: number;
}

export interface SimulatorRuntime extends DeviceRuntime {
  /** Ends all devices and host processes, where `close` leaves both. */
  shutdown(): Promise<void>;
}

export const DEFAULT_MAX_DEVICES = 1000;
export const DEFAULT_DEVICES_PER_HOST = 50;
export const DEFAULT_LAYER_CACHE_MB = 10_240;
const DEFAULT_MAX_DISK_MB = 2048;
/** What a save has besides the bytes of files: their names, and the settings. */
const SAVE_MARGIN_MB = 512;
const MAX_SPREAD = 4;
const MB = 1024 * 1024;
const CAPABILITIES: ReadonlySet<MachineCapability> = new Set(["scrcpy", "save"]);

/** Simulates devices in processes of their own, which outlive this one and are adopted by the next. */
export function simulatorRuntime(options: SimulatorRuntimeOptions): SimulatorRuntime {
  return new Runtime(options);
}

class Runtime implements SimulatorRuntime {
  readonly name = "simulator";
  readonly #dataDir: string;
  readonly #store: LayerStore;
  readonly #cache: LayerCache;
  readonly #clock: Clock;
  readonly #maxSaveBytes: number;
  readonly #log: (line: string) => void;
  readonly #pool: HostPool;
  readonly #machines = new Map<string, { machine: Machine; gone: AbortController }>();
  /** The starts of each device, one after the other. */
  readonly #starts = new Turns();

  constructor(options: SimulatorRuntimeOptions) {
    this.#dataDir = options.dataDir;
    this.#store = options.layers;
    this.#clock = options.clock;
    this.#maxSaveBytes = ((options.maxDiskMb ?? DEFAULT_MAX_DISK_MB) + SAVE_MARGIN_MB) * MB;
    this.#log = options.log;
    const processes = hostProcesses(options);
    this.#cache = new LayerCache({
      folder: join(resolve(options.dataDir), "simulator-layers"),
      account: processes.account,
      maxBytes: (options.layerCacheMb ?? DEFAULT_LAYER_CACHE_MB) * MB,
      store: options.layers,
      clock: options.clock,
    });
    this.#pool = new HostPool({
      processes,
      clock: options.clock,
      log: options.log,
      maxDevices: options.maxDevices ?? DEFAULT_MAX_DEVICES,
      devicesPerHost: options.devicesPerHost ?? DEFAULT_DEVICES_PER_HOST,
      spread: options.spread ?? Math.min(MAX_SPREAD, availableParallelism()),
      ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
      onGone: ({ id, boot, reason }) => {
        if (this.#machines.get(id)?.machine.boot === boot) this.#over(id, reason);
        this.#release({ id, boot });
      },
    });
  }

  place(): Promise<string> {
    return placeOf(this.#dataDir, this.name);
  }

  async start(spec: MachineSpec, signal: AbortSignal): Promise<Machine> {
    signal.throwIfAborted();
    const asked = this.#starts.take(spec.id, () => this.#start(spec, signal));
    try {
      const { machine, link } = await abortable(asked, signal);
      signal.throwIfAborted();
      return this.#machine(machine, link);
    } catch (error) {
      if (signal.aborted) await this.#undo(asked);
      if (error instanceof HostError && error.code === "NO_SLOT")
        throw new NoSlotError(error.message, { cause: error });
      throw error;
    }
  }

  async verify({ artefact, sdkVersion }: ImageSpec): Promise<undefined> {
    if (artefact !== "simulated") throw new Error(`the simulator runs "simulated", not "${artefact}"`);
    androidVersion(sdkVersion);
  }

  async prepare(): Promise<void> {
    await this.#pool.prepare();
    await this.#cache.sweep(new Set((await this.#pool.machines()).map(userOf)));
  }

  async list(): Promise<MachineRef[]> {
    return (await this.#pool.machines()).map(({ id, boot }) => ({ id, boot }));
  }

  async adopt({ id, boot }: MachineRef): Promise<Machine | undefined> {
    await this.#pool.discover();
    const link = this.#pool.find(id);
    const hosted = link?.machines.get(id);
    if (!link || !hosted) return undefined;
    if (hosted.boot === boot) return this.#machine(hosted, link);
    if (hosted.boot < boot) await stopOn(link, { id, boot: hosted.boot });
    return undefined;
  }

  async stop(id: string): Promise<void> {
    await this.#pool.discover();
    const link = this.#pool.find(id);
    if (link) await stopOn(link, { id });
    this.#over(id);
  }

  async shutdown(): Promise<void> {
    await this.#pool.shutdown();
    await this.#cache.releaseAll();
  }

  async close(): Promise<void> {
    this.#pool.close();
  }

  #machine({ id, boot, adb }: HostedMachine, link: HostLink): Machine {
    const held = this.#machines.get(id);
    if (held?.machine.boot === boot) return held.machine;
    if (held) this.#over(id, "a later boot runs");
    const gone = new AbortController();
    const stop = async () => {
      await stopOn(link, { id, boot });
      if (this.#machines.get(id)?.gone === gone) this.#over(id);
    };
    const save: Machine["save"] = (saveOptions, signal) =>
      saveMachine(
        { id, boot },
        {
          connection: link.connection,
          store: this.#store,
          cache: this.#cache,
          pinned: this.#cache.pinned(userOf({ id, boot })),
          maxNewBytes: this.#maxSaveBytes,
          clock: this.#clock,
        },
        saveOptions,
        AbortSignal.any([signal, gone.signal]),
      );
    const machine: Machine = { id, boot, adb, capabilities: CAPABILITIES, gone: gone.signal, save, stop };
    this.#machines.set(id, { machine, gone });
    // It may have ended before anybody could be notified.
    if (link.machines.get(id)?.boot !== boot) this.#over(id, "it ended as it started");
    return machine;
  }

  /** Starts a machine, with the layers that it starts from. */
  async #start(spec: MachineSpec, signal: AbortSignal): Promise<{ machine: HostedMachine; link: HostLink }> {
    await this.#pool.discover();
    const runs = this.#pool.find(spec.id)?.machines.get(spec.id)?.boot === spec.boot;
    const top = spec.layers.at(-1);
    if (!top || runs) return this.#pool.start(spec, signal);
    const folder = await this.#cache.pin(userOf(spec), spec.layers, signal);
    try {
      return await this.#pool.start({ ...spec, layers: [top] }, signal, folder);
    } catch (error) {
      await this.#cache.release(userOf(spec));
      if (!(error instanceof HostError) || error.code !== "LAYER_DAMAGED") throw error;
      // They were checked when they came: the copies here are damaged.
      await this.#cache.discard(spec.layers);
      throw new LayerDamagedError(top, `cannot be started from: ${error.message}`, { cause: error });
    }
  }

  #release(ref: MachineRef): void {
    this.#cache
      .release(userOf(ref))
      .catch((error: unknown) => this.#log(`layers of a device that has ended are still here: ${String(error)}`));
  }

  /** Ends a start that nobody waits for any more. */
  async #undo(asked: Promise<{ machine: HostedMachine; link: HostLink }>): Promise<void> {
    const started = await asked.catch(() => undefined);
    if (started) await stopOn(started.link, started.machine).catch(() => undefined);
  }

  #over(id: string, reason = "stopped"): void {
    const held = this.#machines.get(id);
    this.#machines.delete(id);
    held?.gone.abort(new Error(`the device is over: ${reason}`));
  }
}

/** How the layer cache knows a machine. */
const userOf = ({ id, boot }: MachineRef): string => `${id}-${boot}`;

/** Stops a device, of this boot if one is named; it is also stopped when its host is gone. */
async function stopOn({ connection }: HostLink, { id, boot }: { id: string; boot?: number }): Promise<void> {
  try {
    await connection.ask("stop", { id, ...(boot === undefined ? {} : { boot }) });
  } catch (error) {
    if (!connection.closed.aborted) throw error;
  }
}
