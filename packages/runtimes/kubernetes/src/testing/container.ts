import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ENV = ["env", "-i", "PATH=/bin", "LD_LIBRARY_PATH=/lib64"];
/** Its own network, processes and mounts: as much of a container as a test of saves and connections needs. */
const SCRIPT =
  'ip link set lo up && mount -t proc none "$1/proc" && mount --rbind /dev "$1/dev" && root=$1 && shift && exec chroot "$root" "$@"';

/** What a container ends with whose first process was killed. */
const KILLED = 137;

/** The root folder of a Pod's containers, which are started one after the other. */
export class ContainerRoot {
  readonly #folder: Promise<string>;
  readonly #running = new Set<ChildProcess>();
  #pid = 0;
  #isKilled = false;
  /** What the containers have printed. */
  said = "";

  constructor(image: string) {
    this.#folder = mkdtemp(join(tmpdir(), "terrarium-pod-")).then(async (folder) => {
      await cp(image, folder, { recursive: true, verbatimSymlinks: true });
      return folder;
    });
  }

  /** Starts a container. Resolves when it runs, with what resolves with its exit code. */
  async start(command: readonly string[]): Promise<{ ended: Promise<number> }> {
    const root = await this.#folder;
    const spaces = ["--net", "--mount", "--pid", "--fork", "--kill-child"];
    const words = [...spaces, "sh", "-c", SCRIPT, "sh", root, ...ENV, ...command];
    const child = spawn("unshare", words, { stdio: ["ignore", "pipe", "pipe"] });
    const ended = once(child, "exit").then(([code]) => (this.#isKilled ? KILLED : Number(code)));
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (bytes: Buffer) => (this.said += bytes.toString()));
    this.#running.add(child);
    for (let tries = 0; child.exitCode === null; tries++) {
      const [pid] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").catch(() => "")).split(
        " ",
      );
      this.#pid = Number(pid);
      // Its root is in place when it is no longer the shell that makes it.
      const words = this.#pid > 0 ? await readFile(`/proc/${this.#pid}/cmdline`, "utf8").catch(() => "") : "";
      if (words !== "" && !words.includes(SCRIPT) && !words.startsWith("unshare")) break;
      if (tries > 500) throw new Error("a container did not start");
      await sleep(10);
    }
    return { ended };
  }

  /** Runs a program beside what runs in it. */
  async exec(command: readonly string[], { isOutside = false } = {}): Promise<ChildProcess> {
    const spaces = ["-t", String(this.#pid), "--net", "--mount", ...(isOutside ? [] : ["--pid"])];
    return spawn("nsenter", [...spaces, "chroot", await this.#folder, ...ENV, ...command], { stdio: "pipe" });
  }

  /** The folder of its data. */
  async data(): Promise<string> {
    return join(await this.#folder, "data");
  }

  /** Ends what runs in it, as a crash does. */
  kill(): void {
    this.#isKilled = true;
    if (this.#pid > 0) process.kill(this.#pid, "SIGKILL");
  }

  async remove(): Promise<void> {
    for (const child of this.#running) {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    }
    await rm(await this.#folder, { recursive: true, force: true });
  }
}
