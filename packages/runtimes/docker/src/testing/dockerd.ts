import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { access, mkdtemp, open, readdir, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import Docker from "dockerode";

/** A real Docker daemon of a test's own. */
export interface Dockerd {
  /** `unix:///...` */
  address: string;
  docker: Docker;
  /** It does not answer, or does again. */
  halt(isHalted: boolean): void;
  /** Ends it, with all its containers, and removes what it has written and changed. */
  stop(): Promise<void>;
}

const run = promisify(execFile);
const START_TRIES = 200;
const CGROUPS = "/sys/fs/cgroup";

/**
 * Starts a Docker daemon with a network, process ids and mounts of its own, so that nothing of it is left however it ends: no bridge, no
 * rule of a firewall, no mount, no process. Rejects with the reason where it cannot start.
 */
export async function startDockerd(): Promise<Dockerd> {
  if (process.getuid?.() !== 0) throw new Error("a Docker daemon starts as root only");
  if (!existsSync("/usr/sbin/dockerd")) throw new Error("there is no /usr/sbin/dockerd: apt-get install docker.io");
  const folder = await mkdtemp(join(tmpdir(), "terrarium-dockerd-"));
  const socket = join(folder, "docker.sock");
  // Below a folder that is this daemon's alone.
  const cgroup = `terrarium-test-${folder.slice(-6)}`;
  const words = [
    `--host=unix://${socket}`,
    `--pidfile=${join(folder, "pid")}`,
    `--data-root=${join(folder, "data")}`,
    `--exec-root=${join(folder, "exec")}`,
    `--config-file=${join(folder, "config.json")}`,
    `--cgroup-parent=/${cgroup}`,
    "--bridge=none",
  ];
  // Not the settings of the machine's own daemon.
  await writeFile(join(folder, "config.json"), "{}");
  const log = await open(join(folder, "log"), "w");
  // With its ids of processes end all that have them.
  const spaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const script = 'ip link set lo up && mount -t tmpfs none /run && exec /usr/sbin/dockerd "$@"';
  const daemon = spawn("unshare", [...spaces, "sh", "-c", script, "sh", ...words], {
    stdio: ["ignore", log.fd, log.fd],
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  });
  const ended = new Promise<void>((resolve) => daemon.once("close", () => resolve()));
  const docker = new Docker({ socketPath: socket });
  const stop = async () => {
    // To the daemon of all, which takes its namespaces along.
    daemon.kill("SIGKILL");
    await ended;
    await log.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await removeCgroups(cgroup);
  };
  for (let tries = 0; daemon.exitCode === null; tries++) {
    const answers = await access(socket).then(
      () =>
        docker
          .ping()
          .then(() => true)
          .catch(() => false),
      () => false,
    );
    if (answers) return { address: `unix://${socket}`, docker, stop, halt: await halting(daemon) };
    if (tries >= START_TRIES) break;
    await sleep(50);
  }
  const said = (await readFile(join(folder, "log"), "utf8")).trim().split("\n").at(-1);
  await stop();
  throw new Error(`dockerd did not start: ${said}`);
}

/** Stops and continues the daemon itself, the child of what has made its namespaces. */
async function halting({ pid = 0 }: ChildProcess): Promise<Dockerd["halt"]> {
  const { stdout } = await run("ps", ["--ppid", String(pid), "-o", "pid="]);
  return (isHalted) => void process.kill(Number(stdout), isHalted ? "SIGSTOP" : "SIGCONT");
}

/** Those of processes that are just ending cannot be removed yet. */
async function removeCgroups(name: string): Promise<void> {
  const roots = [CGROUPS, ...(await readdir(CGROUPS)).map((one) => join(CGROUPS, one))];
  for (const root of roots) {
    const folder = join(root, name);
    for (let tries = 0; existsSync(folder) && tries < START_TRIES; tries++) {
      const inside = await readdir(folder, { withFileTypes: true });
      const groups = inside.filter((one) => one.isDirectory()).map((one) => join(folder, one.name));
      // What a test has left standing still does not even end.
      for (const group of groups) await writeFile(join(group, "freezer.state"), "THAWED").catch(() => undefined);
      for (const group of [...groups, folder]) await rmdir(group).catch(() => sleep(50));
    }
  }
}
