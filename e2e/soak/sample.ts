import { processesOf, type Role, sumOf, usageOf, type Usage } from "../support/processes.ts";
import type { Tally } from "./tally.ts";
import type { Vitals } from "./vitals.ts";

/** The parts of the product, and which processes they are. */
export const parts = {
  server: ["server"],
  gateway: ["gateway"],
  hosts: ["host"],
  postgres: ["database", "backend"],
} as const satisfies Record<string, readonly Role[]>;
export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];

export interface PartSample extends Usage {
  /** Of a core, since the last sample; from 0 to 1 for each core. */
  cpuShare: number;
  /** Of the server and its gateway, which are one process each. */
  pid?: number;
  /** Undefined where it is not known. */
  heapBytes?: number;
  loopDelayMs?: number;
}

/** How the product is at one moment. */
export interface Sample {
  seconds: number;
  parts: Record<Part, PartSample>;
  /** Copied. */
  tally: Tally;
}

/** Takes samples of the product with a data directory. */
export class Sampler {
  readonly #dataDir: string;
  readonly #vitals: Vitals;
  readonly #tally: Tally;
  readonly #began = performance.now();
  #last: { at: number; cpuSeconds: Partial<Record<Part, number>> } = { at: this.#began, cpuSeconds: {} };

  constructor(dataDir: string, vitals: Vitals, tally: Tally) {
    this.#dataDir = dataDir;
    this.#vitals = vitals;
    this.#tally = tally;
  }

  async take(): Promise<Sample> {
    const found = await processesOf(this.#dataDir);
    const vitalsOf = async (role: Role) => {
      const process = found.find((one) => one.role === role);
      return process && { pid: process.pid, ...(await this.#vitals.of(process.pid)) };
    };
    // They collect garbage, so this comes before memory is measured.
    const [server, gateway] = [await vitalsOf("server"), await vitalsOf("gateway")];
    const usage = await usageOf(found);
    const at = performance.now();
    const seconds = (at - this.#last.at) / 1000;
    const sampleOf = (part: Part): PartSample => {
      const sum = sumOf(parts[part].flatMap((role) => usage[role] ?? []));
      // The time of a process that has ended is gone.
      const used = Math.max(0, sum.cpuSeconds - (this.#last.cpuSeconds[part] ?? sum.cpuSeconds));
      return { ...sum, cpuShare: used / seconds };
    };
    const sample: Sample = {
      seconds: (at - this.#began) / 1000,
      parts: {
        server: { ...sampleOf("server"), ...server },
        gateway: { ...sampleOf("gateway"), ...gateway },
        hosts: sampleOf("hosts"),
        postgres: sampleOf("postgres"),
      },
      tally: structuredClone(this.#tally),
    };
    this.#last = { at, cpuSeconds: Object.fromEntries(partNames.map((part) => [part, sample.parts[part].cpuSeconds])) };
    this.#tally.slowestMs = 0;
    return sample;
  }
}
