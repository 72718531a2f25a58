import type { AdbAddress, Layer } from "@terrarium/runtime";
import { type AdbListener, startAdbListener } from "../adb/adb-listener.ts";
import { SimulatedDevice, type SimulatedDeviceOptions } from "../device/simulated-device.ts";
import { commands } from "./commands.ts";
import { DeviceSave } from "./device-save.ts";
import { restoreDevice } from "./restore-device.ts";
import { readStates, type StateLayer } from "./state-layer.ts";

export interface HostedDeviceOptions extends Omit<SimulatedDeviceOptions, "onReboot" | "commandNames"> {
  log: (line: string) => void;
  /** Holds the layers of the spec, for as long as the device runs. */
  layerFolder?: string | undefined;
}

/** How long home stays painted that nobody has looked at: on a busy machine displays are opened some seconds after the start. */
const UNSEEN_MS = 10_000;

/** A device with its adb port: from power-on until `stop`, a crash or its own shutdown. */
export class HostedDevice {
  readonly device: SimulatedDevice;
  readonly #log: (line: string) => void;
  readonly #gone = Promise.withResolvers<string>();
  readonly #layerFolder: string | undefined;
  readonly #spillFolder: string;
  /** What it was started from, the lowest first. */
  #states: StateLayer[] = [];
  #listener: AdbListener | undefined;
  #save: DeviceSave | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(options: HostedDeviceOptions) {
    this.#log = options.log;
    this.#layerFolder = options.layerFolder;
    this.#spillFolder = options.spillFolder;
    this.device = new SimulatedDevice({
      ...options,
      commandNames: commands.names,
      onReboot: (mode) => setImmediate(() => this.#reboot(mode)),
    });
  }

  /**
   * Resolves when the adb port is open; the device boots meanwhile.
   * @throws LayerDamagedError if the saved state that it is to start from cannot be read
   */
  static async start(options: HostedDeviceOptions): Promise<HostedDevice> {
    const hosted = new HostedDevice(options);
    try {
      const top = options.spec.layers.at(-1);
      if (top) await hosted.#restore(top);
      // A defect behind one stream of adb ends that stream, and neither the device nor its other hosts.
      hosted.#listener = await startAdbListener(hosted.device, commands, (error) =>
        hosted.#report("a service threw", error),
      );
    } catch (error) {
      hosted.device.stop();
      throw error;
    }
    hosted.device.boot().catch((error: unknown) => hosted.#fault(error));
    setImmediate(() => void hosted.#paintHome().catch((error: unknown) => hosted.#fault(error)));
    return hosted;
  }

  get adb(): AdbAddress {
    return { host: this.#listener!.host, port: this.#listener!.port };
  }

  /** Resolves with the reason when the device is over. */
  get gone(): Promise<string> {
    return this.#gone.promise;
  }

  /** Stops Android and writes what has changed to a folder. @throws Error if the device is being saved, or is over */
  beginSave(): DeviceSave {
    if (this.#save) throw new Error("the device is being saved already");
    if (this.#stopping) throw new Error("the device is over");
    const save = (this.#save = new DeviceSave({
      device: this.device,
      listener: this.#listener!,
      states: this.#states,
      layerFolder: this.#layerFolder,
      parent: this.#spillFolder,
    }));
    void save.ended.then(() => (this.#save = undefined));
    return save;
  }

  async endSave(): Promise<void> {
    await this.#save?.end();
  }

  /** Whoever started it looks as soon as it has booted. Where nobody does, the memory is given back. */
  async #paintHome(): Promise<void> {
    const { ended, display, clock } = this.device;
    if (ended.aborted) return;
    display.paint();
    await clock.sleep(UNSEEN_MS, ended).catch(() => undefined);
    if (!ended.aborted) display.rest();
  }

  async #restore(top: Layer): Promise<void> {
    const folder = this.#layerFolder;
    if (folder === undefined) throw new Error("the device has layers, but not where they are");
    this.#states = await readStates(folder, top);
    await restoreDevice(this.device, this.#states, folder);
    // Only what was saved is compared later.
    for (const state of this.#states) state.entries = [];
  }

  /** Ends it and resolves when its port is closed and its files are removed. */
  stop(reason = "stopped"): Promise<void> {
    return (this.#stopping ??= (async () => {
      await this.endSave();
      this.device.stop();
      await this.#listener?.stop();
      this.#gone.resolve(reason);
    })());
  }

  /** What the device itself throws ends it, and no other. */
  #fault(error: unknown): void {
    this.#report("crashed", error);
    void this.stop("crashed");
  }

  #report(what: string, error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#log(`device ${this.device.spec.id} boot ${this.device.spec.boot} ${what}: ${text}`);
  }

  #reboot(mode: string): void {
    if (this.#stopping) return;
    if (/shutdown|^-?p$/.test(mode)) return void this.stop("powered off");
    this.#listener?.disconnect();
    this.device.restart().catch((error: unknown) => this.#fault(error));
  }
}
