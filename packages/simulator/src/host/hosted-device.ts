import type { AdbAddress } from "@terrarium/runtime";
import { type AdbListener, startAdbListener } from "../adb/adb-listener.ts";
import { SimulatedDevice, type SimulatedDeviceOptions } from "../device/simulated-device.ts";
import { commands } from "./commands.ts";

export interface HostedDeviceOptions extends Omit<SimulatedDeviceOptions, "onReboot" | "commandNames"> {
  log: (line: string) => void;
}

/** A device with its adb port: from power-on until `stop`, a crash or its own shutdown. */
export class HostedDevice {
  readonly device: SimulatedDevice;
  readonly #log: (line: string) => void;
  readonly #gone = Promise.withResolvers<string>();
  #listener: AdbListener | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(options: HostedDeviceOptions) {
    this.#log = options.log;
    this.device = new SimulatedDevice({
      ...options,
      commandNames: commands.names,
      onReboot: (mode) => setImmediate(() => this.#reboot(mode)),
    });
  }

  /** Resolves when the adb port is open; the device boots meanwhile. */
  static async start(options: HostedDeviceOptions): Promise<HostedDevice> {
    const hosted = new HostedDevice(options);
    try {
      // A defect behind one stream of adb ends that stream, and neither the device nor its other hosts.
      hosted.#listener = await startAdbListener(hosted.device, commands, (error) =>
        hosted.#tell("a service threw", error),
      );
    } catch (error) {
      hosted.device.stop();
      throw error;
    }
    hosted.device.boot().catch((error: unknown) => hosted.#fault(error));
    return hosted;
  }

  get adb(): AdbAddress {
    return { host: this.#listener!.host, port: this.#listener!.port };
  }

  /** Resolves with the reason when the device is over. */
  get gone(): Promise<string> {
    return this.#gone.promise;
  }

  /** Ends it and resolves when its port is closed and its files are removed. */
  stop(reason = "stopped"): Promise<void> {
    return (this.#stopping ??= (async () => {
      this.device.stop();
      await this.#listener?.stop();
      this.#gone.resolve(reason);
    })());
  }

  /** What the device itself throws ends it, and no other. */
  #fault(error: unknown): void {
    this.#tell("crashed", error);
    void this.stop("crashed");
  }

  #tell(what: string, error: unknown): void {
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
