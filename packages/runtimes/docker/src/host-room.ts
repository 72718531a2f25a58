import type { MachineSpec } from "@terrarium/runtime";
import type { ContainerInfo } from "dockerode";
import { type Hosted, hostedOf, label } from "./container.ts";

/** What Docker and the system need themselves. */
const USABLE_MEMORY = 0.9;

export interface HostRoomOptions {
  maxDevices: number;
  /** Of the host, in MiB. */
  memoryMb: () => number;
}

/** How many devices a Docker host has room for. */
export class HostRoom {
  readonly #options: HostRoomOptions;
  /** Memory of machines that are being started, in MiB, by id. What is there of them is not looked at. */
  readonly #starting = new Map<string, number>();
  /** The memory in MiB and the number of all devices there, also those of other installations. */
  #used = { memoryMb: 0, devices: 0 };

  constructor(options: HostRoomOptions) {
    this.#options = options;
  }

  isStarting(id: string): boolean {
    return this.#starting.has(id);
  }

  /** Why there is no room for a machine; undefined if there is, and it is reserved until `release` is called. */
  take({ id, hardware: { ramMb } }: MachineSpec): string | undefined {
    const devices = this.#used.devices + this.#starting.size;
    if (devices >= this.#options.maxDevices) return `it has its ${devices} devices`;
    const starting = [...this.#starting.values()].reduce((sum, size) => sum + size, 0);
    const free = Math.floor(this.#options.memoryMb() * USABLE_MEMORY) - this.#used.memoryMb - starting;
    if (ramMb > free) return `it has ${free} MiB of memory for devices, and this one needs ${ramMb}`;
    this.#starting.set(id, ramMb);
    return undefined;
  }

  release(id: string): void {
    this.#starting.delete(id);
  }

  /** A machine runs now that was not counted. */
  add({ ramMb }: Hosted): void {
    this.#used.devices++;
    this.#used.memoryMb += ramMb;
  }

  /** Counts what runs there. Returns those that are not being started. */
  count(all: readonly ContainerInfo[]): ContainerInfo[] {
    const used = all.filter(
      ({ State, Labels }) =>
        ["running", "paused", "restarting"].includes(State) && !this.#starting.has(Labels[label.id] ?? ""),
    );
    const memoryMb = used.reduce((sum, one) => sum + hostedOf(one).ramMb, 0);
    this.#used = { devices: used.length, memoryMb };
    return used;
  }
}
