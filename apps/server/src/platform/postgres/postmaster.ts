import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@terrarium/clock";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { PostgresStartError } from "./errors.ts";
import { readPostmasterFile, type PostmasterFile } from "./postmaster-file.ts";
import { PLAIN_ENV, commandLine, processesIn, runs, type ProcessUser } from "./processes.ts";

/** Crash recovery of a large database takes its time; a server that is only slow must not be taken for a broken one. */
const START_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000;
/** A socket's name ends with a port number even where there is no port. */
export const UNIX_SOCKET_PORT = 5432;
const LOOK_EVERY_MS = 10;
const MAX_LOG_BYTES = 10_000_000;

/** Sockets live in directories of this name: a socket's path must stay under 108 bytes, and a data directory's may be longer. */
const SOCKET_DIR_PREFIX = "/tmp/terrarium-pg-";

export interface StartOptions {
  binaries: Binaries;
  user: ProcessUser | undefined;
  logFile: string;
  /** Where the socket was before, so that the address stays the same; else a new place. */
  socketDir?: string;
  /** Loopback TCP port beside the unix socket. */
  port: number | undefined;
  settings: Record<string, string>;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** The server that works on the cluster now, if there is one: started by us or left by a server that was killed. */
export async function findPostmaster(cluster: Cluster): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(cluster.path);
  return file && (await isPostmaster(file.pid, cluster)) ? file : undefined;
}

/** Looks at what the process was started with, so that another that has the number of a dead one is not taken for it. */
async function isPostmaster(pid: number, { path }: Cluster): Promise<boolean> {
  const words = await commandLine(pid);
  return words[words.indexOf("-D") + 1] === path && (await runs(pid));
}

/** Waits until a server that is there takes connections; undefined when it ended instead. */
export async function untilReady(
  cluster: Cluster,
  pid: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<PostmasterFile | undefined> {
  const end = clock.now() + START_TIMEOUT_MS;
  while (clock.now() < end) {
    const file = await readPostmasterFile(cluster.path);
    if (file?.pid === pid && file.status === "ready") return file;
    if (!(await runs(pid))) return undefined;
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  throw new PostgresStartError(`PostgreSQL (process ${pid}) did not become ready within ${START_TIMEOUT_MS / 1000} s`);
}

/** Starts the server. It lives on when this process is killed. */
export async function startPostmaster(cluster: Cluster, options: StartOptions): Promise<PostmasterFile> {
  const { binaries, user, logFile, port, settings, clock, signal } = options;
  await clearAfterCrash(cluster, options);
  const socketDir = options.socketDir ?? (await mkdtemp(SOCKET_DIR_PREFIX));
  await mkdir(socketDir, { recursive: true, mode: 0o700 });
  if (user) await chown(socketDir, user.uid, user.gid);
  const chosen: Record<string, string> = {
    listen_addresses: port === undefined ? "" : "127.0.0.1",
    port: String(port ?? UNIX_SOCKET_PORT),
    unix_socket_directories: socketDir,
    unix_socket_permissions: "0700",
    log_line_prefix: "%m [%p] ",
    ...settings,
  };
  const args = Object.entries(chosen).flatMap(([name, value]) => ["-c", `${name}=${value}`]);

  const log = await openLog(logFile);
  try {
    const { size } = await log.stat();
    const child = spawn(join(binaries.bin, "postgres"), ["-D", cluster.path, ...args], {
      ...user,
      cwd: "/",
      env: PLAIN_ENV,
      // A process group of its own: Ctrl-C in the terminal is for us, we stop it in order.
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    child.unref();
    await once(child, "spawn");
    const ready = await untilReady(cluster, child.pid ?? 0, clock, signal).catch(async (error: unknown) => {
      child.kill("SIGQUIT");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      throw error;
    });
    if (ready) return ready;
    const printed = Buffer.alloc(64 * 1024);
    const { bytesRead } = await log.read(printed, 0, printed.length, size);
    throw new PostgresStartError(
      `PostgreSQL did not start (its log is ${logFile}):`,
      printed.toString("utf8", 0, bytesRead),
    );
  } catch (error) {
    await rm(socketDir, { recursive: true, force: true });
    throw error;
  } finally {
    await log.close();
  }
}

/** Ends the server: open transactions are rolled back, everything is written. When it does not end in time it is cut off; the next start recovers. */
export async function stopPostmaster(
  cluster: Cluster,
  { pid, socketDir }: PostmasterFile,
  clock: Clock,
): Promise<void> {
  for (const [signal, timeoutMs] of [
    ["SIGINT", FAST_STOP_TIMEOUT_MS],
    ["SIGQUIT", IMMEDIATE_STOP_TIMEOUT_MS],
  ] as const) {
    const end = clock.now() + timeoutMs;
    if (await isPostmaster(pid, cluster)) send(pid, signal);
    while ((await isPostmaster(pid, cluster)) && clock.now() < end) await clock.sleep(LOOK_EVERY_MS);
    if (!(await isPostmaster(pid, cluster))) return removeSocketDir(socketDir);
  }
  throw new Error(`PostgreSQL (process ${pid}) does not end`);
}

/**
 * After a postmaster was killed its children notice and end; no new one may start beside them. Its file may name a number that
 * another process of the account has by now (always so in a container that restarts), which PostgreSQL takes for a living server.
 */
async function clearAfterCrash({ path }: Cluster, { user, clock, signal }: StartOptions): Promise<void> {
  const stale = await readPostmasterFile(path);
  if (!stale) return;
  const end = clock.now() + IMMEDIATE_STOP_TIMEOUT_MS;
  for (let left = await processesIn(path, user); left.length > 0; left = await processesIn(path, user)) {
    if (clock.now() > end) throw new PostgresStartError(`Processes ${left.join(", ")} still work on ${path}`);
    await clock.sleep(LOOK_EVERY_MS, signal);
  }
  await rm(join(path, "postmaster.pid"), { force: true });
  await removeSocketDir(stale.socketDir);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Ended since we looked.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function removeSocketDir(socketDir: string): Promise<void> {
  if (socketDir.startsWith(SOCKET_DIR_PREFIX)) await rm(socketDir, { recursive: true, force: true });
}

/** Opens the log for appending; one that has grown large is put aside first. */
async function openLog(logFile: string) {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG_BYTES) await rename(logFile, `${logFile}.1`);
  return open(logFile, "a+", 0o600);
}
