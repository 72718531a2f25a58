import type { Clock } from "@terrarium/clock";
import { type Farewell, farewells } from "./farewell.ts";
import type { WatchedDevice } from "./watched-device.ts";

/** How long a viewer waits for a device that boots or whose display is opened again; then its player asks anew. */
const WAIT_MS = 15_000;

/** Players try again for less than a minute; nobody asks for older ones. */
const MAX_ENDED = 1_000;

interface Waiting {
  found(device: WatchedDevice): void;
  gone(why: Farewell): void;
}

/** The devices of this gateway, and who waits for one. */
export class DeviceDirectory {
  readonly #clock: Clock;
  readonly #devices = new Map<string, WatchedDevice>();
  /** Devices that are over; a viewer that was on its way back is told so. */
  readonly #ended = new Set<string>();
  readonly #waiting = new Map<string, Set<Waiting>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(instanceUuid: string): WatchedDevice | undefined {
    return this.#devices.get(instanceUuid);
  }

  entries(): IterableIterator<[string, WatchedDevice]> {
    return this.#devices.entries();
  }

  add(instanceUuid: string, device: WatchedDevice): void {
    this.#ended.delete(instanceUuid);
    this.#devices.set(instanceUuid, device);
    for (const waiting of this.#waiting.get(instanceUuid) ?? []) waiting.found(device);
  }

  /** Takes out this very device, not one that came in its place. */
  remove(instanceUuid: string, device: WatchedDevice): void {
    if (this.#devices.get(instanceUuid) === device) this.#devices.delete(instanceUuid);
  }

  /** The device will not be back: who waits for it is told, and who comes later. */
  end(instanceUuid: string): void {
    this.#ended.add(instanceUuid);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    for (const waiting of this.#waiting.get(instanceUuid) ?? []) waiting.gone(farewells.deviceEnded());
  }

  /** The device, now or within 15 s. Rejects with a `Farewell`, or with the signal's reason. */
  async find(instanceUuid: string, signal: AbortSignal): Promise<WatchedDevice> {
    const known = this.#devices.get(instanceUuid);
    if (known) return known;
    if (this.#ended.has(instanceUuid)) throw farewells.deviceEnded();
    const { promise, resolve, reject } = Promise.withResolvers<WatchedDevice>();
    const waiting: Waiting = { found: resolve, gone: reject };
    const group = this.#waiting.get(instanceUuid) ?? new Set();
    this.#waiting.set(instanceUuid, group.add(waiting));
    const done = new AbortController();
    this.#clock.sleep(WAIT_MS, AbortSignal.any([signal, done.signal])).then(() => reject(farewells.notReady()), reject);
    try {
      return await promise;
    } finally {
      done.abort();
      group.delete(waiting);
      if (group.size === 0) this.#waiting.delete(instanceUuid);
    }
  }
}
