import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/instances.ts";

/** What a process says of itself. */
export interface VitalSigns {
  /** The heap and what it holds outside, after a collection of garbage. */
  heapBytes: number;
  /** The longest that its event loop was late since it was last asked. */
  loopDelayMs: number;
}

/** Asks the server and its gateway for what only they know. */
export class Vitals {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async create(): Promise<Vitals> {
    return new Vitals(await mkdtemp(join(tmpdir(), "terrarium-vitals-")));
  }

  /** For the processes that shall answer. */
  get environment(): Record<string, string> {
    const program = new URL("in-process.ts", import.meta.url).href;
    return { NODE_OPTIONS: `--import=${program}`, SOAK_VITALS_DIR: this.#folder };
  }

  /** Undefined if it has ended, or does not answer within a minute. */
  async of(pid: number): Promise<VitalSigns | undefined> {
    const file = join(this.#folder, String(pid));
    await rm(file, { force: true });
    try {
      process.kill(pid, "SIGUSR2");
      const read = async () => JSON.parse(await readFile(file, "utf8")) as VitalSigns;
      return await eventually(`process ${pid} says how it is`, read);
    } catch {
      return undefined;
    }
  }

  remove = () => rm(this.#folder, { recursive: true, force: true });
}
