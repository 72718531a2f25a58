import type { KeySource } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { AdbServer, type ServerDevice } from "./adb-server.ts";
import { PoolDevice } from "./pool-device.ts";
import { startRelay } from "./relay.ts";

/** Before an adb server that is not there, or a device of it that could not be used, is tried again. */
const RETRY_MS = 2_000;
/** What somebody has connected to the adb server of their own computer, such as a device of this service that they use. */
const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|\[::1\]):\d+$/;

export interface DeviceListOptions {
  clock: Clock;
  log: (line: string) => void;
  adbKey: KeySource;
  endpoints?: readonly AdbAddress[];
  server?: AdbAddress | undefined;
  /** Also what the adb server has connected on loopback; default false. */
  lendsLoopback?: boolean;
  /** The port of loopback that a device of the adb server had when it was lent. */
  portOf: (key: string) => Promise<number | undefined>;
  /** A device answers, or does not any more, or is not there any more. */
  onChange: (key: string) => void;
}

/** What is in the pool: the endpoints of the settings, and what the adb server has. */
export class DeviceList {
  readonly #options: DeviceListOptions;
  readonly #devices = new Map<string, PoolDevice>();
  /** Those of the adb server that can be used, from the moment that they are plugged in. Aborts when they are unplugged. */
  readonly #plugged = new Map<string, { gone: AbortController; added: Promise<void> }>();
  /** Those that cannot be used, with what the adb server says of them. */
  #unusable: ServerDevice[] = [];
  /** Why those that are plugged could not be made devices. They are tried again. */
  readonly #failed = new Map<string, string>();
  #begun: Promise<void> | undefined;
  readonly #end = new AbortController();

  constructor(options: DeviceListOptions) {
    this.#options = options;
  }

  /** Resolves when every device was looked at; the first call begins. */
  look(): Promise<void> {
    return (this.#begun ??= this.#begin());
  }

  /** Also those that do not answer at the moment. */
  all(): PoolDevice[] {
    return [...this.#devices.values()];
  }

  of(key: string): PoolDevice | undefined {
    return this.#devices.get(key);
  }

  unusable(): readonly ServerDevice[] {
    return [...this.#unusable, ...[...this.#failed].map(([serial, state]) => ({ serial, state }))];
  }

  close(): void {
    this.#end.abort(new Error("the pool was closed"));
    for (const { gone } of this.#plugged.values()) gone.abort();
    for (const device of this.#devices.values()) device.close();
  }

  async #begin(): Promise<void> {
    for (const { host, port } of this.#options.endpoints ?? []) this.#add(`${host}:${port}`, { host, port });
    if (this.#options.server) await this.#follow(this.#options.server);
    await Promise.all(this.all().map(({ looked }) => looked));
  }

  #add(key: string, address: AdbAddress): PoolDevice {
    const { clock, adbKey, onChange } = this.#options;
    const device = new PoolDevice({ key, address, clock, adbKey, onChange: () => onChange(key) });
    this.#devices.set(key, device);
    return device;
  }

  /** Follows an adb server for good; resolves when it has listed its devices, or cannot. */
  async #follow(address: AdbAddress): Promise<void> {
    const { clock, log } = this.#options;
    const server = new AdbServer(address, clock);
    const listed = Promise.withResolvers<void>();
    const follow = async (): Promise<void> => {
      let problem = "";
      while (!this.#end.signal.aborted) {
        try {
          await server.track((devices) => {
            this.#update(server, devices);
            listed.resolve();
          }, this.#end.signal);
        } catch (error) {
          if (this.#end.signal.aborted) return listed.resolve();
          if (String(error) !== problem) log(`${(problem = String(error))}; "adb start-server" starts one`);
          this.#update(server, []);
        }
        listed.resolve();
        await clock.sleep(RETRY_MS, this.#end.signal).catch(() => undefined);
      }
    };
    void follow();
    await listed.promise;
    await Promise.all([...this.#plugged.values()].map(({ added }) => added));
  }

  #update(server: AdbServer, devices: readonly ServerDevice[]): void {
    const isEndpoint = ({ serial }: ServerDevice) => this.#devices.has(serial) && !this.#plugged.has(serial);
    const isOwn = ({ serial }: ServerDevice) => !this.#options.lendsLoopback && LOOPBACK.test(serial);
    const ours = devices.filter((device) => !isEndpoint(device) && !isOwn(device));
    const usable = new Set(ours.filter(({ state }) => state === "device").map(({ serial }) => serial));
    this.#unusable = ours.filter(({ serial }) => !usable.has(serial));
    for (const [serial, { gone }] of this.#plugged)
      if (!usable.has(serial)) {
        this.#plugged.delete(serial);
        this.#failed.delete(serial);
        gone.abort(new Error("it was unplugged"));
      }
    for (const serial of usable)
      if (!this.#plugged.has(serial)) {
        const gone = new AbortController();
        this.#plugged.set(serial, { gone, added: this.#plug(server, serial, gone.signal) });
      }
  }

  /** Makes a device of what was plugged in, until it is unplugged. Never rejects. */
  async #plug(server: AdbServer, serial: string, gone: AbortSignal): Promise<void> {
    const { clock, log, portOf, onChange } = this.#options;
    try {
      const relay = await startRelay(server, serial, await portOf(serial), { log, signal: gone });
      if (!gone.aborted) this.#failed.delete(serial);
      const device = gone.aborted ? undefined : this.#add(serial, relay.address);
      const remove = () => {
        relay.close();
        device?.close();
        if (!device || this.#devices.get(serial) !== device) return;
        this.#devices.delete(serial);
        if (!this.#end.signal.aborted) onChange(serial);
      };
      if (gone.aborted) remove();
      else gone.addEventListener("abort", remove, { once: true });
    } catch (error) {
      if (gone.aborted) return;
      const problem = `it cannot be used: ${String(error)}`;
      if (this.#failed.get(serial) !== problem) log(`the device ${serial} of the adb server: ${problem}`);
      this.#failed.set(serial, problem);
      clock.sleep(RETRY_MS, gone).then(
        () => void this.#plug(server, serial, gone),
        () => undefined,
      );
    }
  }
}
