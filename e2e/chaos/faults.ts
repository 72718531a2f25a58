import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Found, processesOf, type Role, servesConnection } from "../support/processes.ts";
import { pick } from "../support/random.ts";

export interface FaultOptions {
  dataDir: string;
  random: () => number;
  say: (line: string) => void;
  /** Whether the data directory is on a small file system that may be filled. */
  canFill: boolean;
}

/** How often each was done. */
export interface FaultCounts {
  kills: number;
  stops: number;
  fills: number;
}

const ROLES: readonly Role[] = ["server", "gateway", "host", "database", "backend"];
/** Stops last for some seconds; the longest are beyond every lease and heartbeat. */
const MAX_STOP_MS = 14_000;
const MAX_FILL_MS = 4_000;
/** Left free, so that what runs fails soon, but a log line fits. */
const LEFT_BYTES = 64 * 1024;
const BALLAST = "ballast";

/** Does random things to the processes of a product, one at a time. */
export class Faults {
  readonly counts: FaultCounts = { kills: 0, stops: 0, fills: 0 };
  readonly #options: FaultOptions;
  readonly #stopped = new Set<number>();

  constructor(options: FaultOptions) {
    this.#options = options;
  }

  async next(): Promise<void> {
    const { random, canFill } = this.#options;
    const chosen = random();
    if (canFill && chosen < 0.1) return this.#fillDisk();
    const role = pick(ROLES, random) ?? "server";
    if (chosen < 0.6) await this.#kill(role);
    else await this.#stop(role);
  }

  /** Ends what lasts: stopped processes go on, and the disk is empty. */
  async end(): Promise<void> {
    for (const pid of this.#stopped) this.#continue(pid);
    await rm(join(this.#options.dataDir, BALLAST), { force: true });
  }

  async #kill(role: Role): Promise<void> {
    const target = await this.#oneOf(role);
    if (!target || !send(target.pid, "SIGKILL")) return;
    this.counts.kills++;
    this.#options.say(`killed ${role} ${target.pid}`);
  }

  async #stop(role: Role): Promise<void> {
    const target = await this.#oneOf(role);
    const ms = Math.round(this.#options.random() * MAX_STOP_MS);
    if (!target || this.#stopped.has(target.pid) || !send(target.pid, "SIGSTOP")) return;
    this.counts.stops++;
    this.#stopped.add(target.pid);
    this.#options.say(`stopped ${role} ${target.pid} for ${ms} ms`);
    // Others are killed meanwhile.
    void sleep(ms, undefined, { ref: false }).then(() => this.#continue(target.pid));
  }

  #continue(pid: number): void {
    if (this.#stopped.delete(pid)) send(pid, "SIGCONT");
  }

  async #fillDisk(): Promise<void> {
    const { dataDir, random, say } = this.#options;
    const { bavail, bsize } = await statfs(dataDir);
    const ballast = join(dataDir, BALLAST);
    await writeFile(ballast, Buffer.alloc(Math.max(0, bavail * bsize - LEFT_BYTES))).catch(() => undefined);
    this.counts.fills++;
    const ms = Math.round(random() * MAX_FILL_MS);
    say(`filled the disk for ${ms} ms`);
    await sleep(ms);
    await rm(ballast, { force: true });
  }

  async #oneOf(role: Role): Promise<Found | undefined> {
    const found = (await processesOf(this.#options.dataDir)).filter((one) => one.role === role);
    if (role !== "backend") return pick(found, this.#options.random);
    const serving = await Promise.all(found.map(({ pid }) => servesConnection(pid)));
    return pick(
      found.filter((_, index) => serving[index]),
      this.#options.random,
    );
  }
}

/** False if the process has ended. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
