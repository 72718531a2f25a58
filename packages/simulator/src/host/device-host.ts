import type { Clock } from "@terrarium/clock";
import { LayerDamagedError, type MachineRef, type MachineSpec } from "@terrarium/runtime";
import type { CreateScreen } from "../device/screen.ts";
import { HostError, type HostedMachine, type Watcher } from "./control-protocol.ts";
import type { DeviceSave } from "./device-save.ts";
import { HostedDevice } from "./hosted-device.ts";

export interface DeviceHostOptions {
  clock: Clock;
  createScreen: CreateScreen;
  maxDevices: number;
  /** The most one device may write. */
  maxDiskBytes: number;
  spillFolder: string;
  log: (line: string) => void;
}

interface Entry {
  spec: MachineSpec;
  hosted: Promise<HostedDevice>;
  /** Undefined while it starts. */
  machine?: HostedMachine;
}

/** The devices of one process. */
export class DeviceHost {
  readonly #options: DeviceHostOptions;
  readonly #devices = new Map<string, Entry>();
  readonly #watchers = new Set<Watcher>();
  #ending = false;

  constructor(options: DeviceHostOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#devices.size;
  }

  get maxDevices(): number {
    return this.#options.maxDevices;
  }

  /**
   * Starts a device, or returns the running one of the same id and boot. One of an older boot is ended first. Throws
   * `HostError` `NO_SLOT`, `STALE_BOOT` when a newer boot runs, `LAYER_DAMAGED`, `FAILED` when the spec cannot be.
   * @param layerFolder holds the layers that the spec starts from, while the device runs
   */
  async start(spec: MachineSpec, layerFolder?: string): Promise<HostedMachine> {
    for (;;) {
      if (this.#ending) throw new HostError("ENDING", "the host is ending");
      const held = this.#devices.get(spec.id);
      if (!held) break;
      if (held.spec.boot === spec.boot) return describe(spec, await held.hosted);
      if (held.spec.boot > spec.boot)
        throw new HostError("STALE_BOOT", `boot ${held.spec.boot} of this device runs, ${spec.boot} is over`);
      await this.stop(spec.id);
    }
    if (this.#devices.size >= this.#options.maxDevices)
      throw new HostError("NO_SLOT", `all ${this.#options.maxDevices} places are taken`);
    const hosted = HostedDevice.start({ ...this.#options, spec, layerFolder });
    const entry: Entry = { spec, hosted };
    this.#devices.set(spec.id, entry);
    try {
      const device = await hosted;
      void device.gone.then((reason) => this.#forget(entry, reason));
      const machine = (entry.machine = describe(spec, device));
      if (this.#devices.get(spec.id) === entry) for (const watcher of this.#watchers) watcher.started(machine);
      return machine;
    } catch (cause) {
      if (this.#devices.get(spec.id) === entry) this.#devices.delete(spec.id);
      const code = cause instanceof LayerDamagedError ? "LAYER_DAMAGED" : "FAILED";
      throw new HostError(code, cause instanceof Error ? cause.message : "the device did not start", { cause });
    }
  }

  /** See `HostedDevice.beginSave`. Throws `HostError` `FAILED` if the device does not run, or is being saved. */
  async beginSave(ref: MachineRef): Promise<DeviceSave> {
    const device = await this.#find(ref);
    if (!device) throw new HostError("FAILED", "the device does not run");
    return device.beginSave();
  }

  async endSave(ref: MachineRef): Promise<void> {
    await (await this.#find(ref))?.endSave();
  }

  async #find({ id, boot }: MachineRef): Promise<HostedDevice | undefined> {
    const held = this.#devices.get(id);
    return held?.spec.boot === boot ? held.hosted : undefined;
  }

  /** Ends the device of this id, and of this boot if one is named. Returns false if there was none. */
  async stop(id: string, boot?: number): Promise<boolean> {
    const held = this.#devices.get(id);
    if (!held || (boot !== undefined && held.spec.boot !== boot)) return false;
    await held.hosted.then(
      (device) => device.stop(),
      () => undefined,
    );
    // Its own notice comes later and must not affect a new start.
    if (this.#devices.get(id) === held) this.#forget(held, "stopped");
    return true;
  }

  /** Reports each device that runs, and then each that starts or ends, until the returned function is called. */
  watch(watcher: Watcher): () => void {
    for (const { machine } of this.#devices.values()) if (machine) watcher.started(machine);
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Ends all devices, and refuses to start others. */
  async close(): Promise<void> {
    this.#ending = true;
    await Promise.all([...this.#devices.keys()].map((id) => this.stop(id)));
  }

  #forget(entry: Entry, reason: string): void {
    const { id, boot } = entry.spec;
    if (this.#devices.get(id) !== entry) return;
    this.#devices.delete(id);
    for (const watcher of this.#watchers) watcher.gone({ id, boot, reason });
  }
}

const describe = ({ id, boot }: MachineSpec, hosted: HostedDevice): HostedMachine => ({ id, boot, adb: hosted.adb });
