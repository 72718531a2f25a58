import { abortable, type Clock } from "@terrarium/clock";
import { type Farewell, farewells } from "./farewell.ts";
import type { WatchedDevice } from "./watched-device.ts";

/** How long a viewer waits for a device that is booting or whose display is being opened or reopened; after that its player reconnects. */
const WAIT_MS = 15_000;

/** Players retry for less than a minute; nobody asks about older ones. */
const MAX_ENDED = 1_000;

interface Waiting {
  found(device: WatchedDevice): void;
  gone(why: Farewell): void;
}

/** The devices of this gateway, and the viewers that wait for one. */
export class DeviceDirectory {
  readonly #clock: Clock;
  readonly #devices = new Map<string, WatchedDevice>();
  /** Devices that have ended, so that viewers who reconnect learn it. */
  readonly #ended = new Set<string>();
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** What to call once somebody waits. */
  readonly #wanted = new Map<string, () => void>();

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

  /** How many wait for it. */
  waiting(instanceUuid: string): number {
    return this.#waiting.get(instanceUuid)?.size ?? 0;
  }

  /** Resolves once somebody waits for a device that is not there; rejects with the signal's reason. One call for each device. */
  async wanted(instanceUuid: string, signal: AbortSignal): Promise<void> {
    if (this.waiting(instanceUuid) > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wanted.set(instanceUuid, resolve);
    try {
      await abortable(promise, signal);
    } finally {
      this.#wanted.delete(instanceUuid);
    }
  }

  /** Removes this device, but not one that has replaced it. */
  remove(instanceUuid: string, device: WatchedDevice): void {
    if (this.#devices.get(instanceUuid) === device) this.#devices.delete(instanceUuid);
  }

  /** The device will not be back: notifies those who wait for it, and those who come later. */
  end(instanceUuid: string): void {
    this.#ended.add(instanceUuid);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
    for (const waiting of this.#waiting.get(instanceUuid) ?? []) waiting.gone(farewells.deviceEnded());
  }

  /** Resolves with the device, within 15 s. Rejects with a `Farewell` or the signal's reason. */
  async find(instanceUuid: string, signal: AbortSignal): Promise<WatchedDevice> {
    const known = this.#devices.get(instanceUuid);
    if (known) return known;
    if (this.#ended.has(instanceUuid)) throw farewells.deviceEnded();
    const { promise, resolve, reject } = Promise.withResolvers<WatchedDevice>();
    const waiting: Waiting = { found: resolve, gone: reject };
    const group = this.#waiting.get(instanceUuid) ?? new Set();
    this.#waiting.set(instanceUuid, group.add(waiting));
    this.#wanted.get(instanceUuid)?.();
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
