import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@terrarium/clock";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { PostgresStartError } from "./errors.ts";
import { readPostmasterFile, type PostmasterFile } from "./postmaster-file.ts";
import { PLAIN_ENV, commandLine, processesIn, isRunning, type ProcessUser } from "./processes.ts";

/** Generous, as the crash recovery of a large database takes time. */
const START_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000;
/** The file name of a unix socket contains a port number even without a TCP port. */
export const UNIX_SOCKET_PORT = 5432;
const POLL_MS = 10;

/** Sockets are outside the data directory, whose path may be too long: a socket's path is limited to 108 bytes. */
const SOCKET_DIR_PREFIX = "/tmp/terrarium-pg-";

export interface StartOptions {
  binaries: Binaries;
  user: ProcessUser | undefined;
  logFile: string;
  /** The previous socket directory, so that the address stays the same; a new one by default. */
  socketDir?: string;
  /** A loopback TCP port in addition to the unix socket. */
  port: number | undefined;
  settings: Record<string, string>;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** Finds the server that runs on the cluster, whether we started it or a killed process left it running. */
export async function findPostmaster(cluster: Cluster): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(cluster.path);
  return file && (await isPostmaster(file.pid, cluster)) ? file : undefined;
}

/** Checks the command line too, as the process id may have been reused. */
async function isPostmaster(pid: number, { path }: Cluster): Promise<boolean> {
  const words = await commandLine(pid);
  return words[words.indexOf("-D") + 1] === path && (await isRunning(pid));
}

/**
 * Waits until a running server accepts connections; returns undefined if it ends instead.
 * @throws PostgresStartError after two minutes
 */
export async function untilReady(
  cluster: Cluster,
  pid: number,
  clock: Clock,
  signal?: AbortSignal,
): Promise<PostmasterFile | undefined> {
  const end = clock.monotonic() + START_TIMEOUT_MS;
  while (clock.monotonic() < end) {
    const file = await readPostmasterFile(cluster.path);
    if (file?.pid === pid && file.status === "ready") return file;
    if (!(await isRunning(pid))) return undefined;
    await clock.sleep(POLL_MS, signal);
  }
  throw new PostgresStartError(`PostgreSQL (process ${pid}) did not become ready within ${START_TIMEOUT_MS / 1000} s`);
}

/**
 * Starts the server, which survives when this process is killed.
 * @throws PostgresStartError with the end of its log
 */
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

  // For appending: whoever rotates it empties it while it is open.
  const log = await open(logFile, "a+", 0o600);
  try {
    const { size } = await log.stat();
    const child = spawn(join(binaries.bin, "postgres"), ["-D", cluster.path, ...args], {
      ...user,
      cwd: "/",
      env: PLAIN_ENV,
      // Its own process group: Ctrl-C in the terminal should reach only us, so that we stop it in order.
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

/** Stops the server with a fast shutdown, and if that takes too long with an immediate one, after which the next start recovers. */
export async function stopPostmaster(
  cluster: Cluster,
  { pid, socketDir }: PostmasterFile,
  clock: Clock,
): Promise<void> {
  for (const [signal, timeoutMs] of [
    ["SIGINT", FAST_STOP_TIMEOUT_MS],
    ["SIGQUIT", IMMEDIATE_STOP_TIMEOUT_MS],
  ] as const) {
    const end = clock.monotonic() + timeoutMs;
    if (await isPostmaster(pid, cluster)) send(pid, signal);
    while ((await isPostmaster(pid, cluster)) && clock.monotonic() < end) await clock.sleep(POLL_MS);
    if (!(await isPostmaster(pid, cluster))) return removeSocketDir(socketDir);
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

/**
 * Cleans up after a postmaster that was killed. Its children notice and end; a new one must not start before. Its pid file may name an id
 * that another process of the account has by now (typical for restarted containers), which PostgreSQL would take for a running server.
 */
async function clearAfterCrash({ path }: Cluster, { user, clock, signal }: StartOptions): Promise<void> {
  const stale = await readPostmasterFile(path);
  if (!stale) return;
  const end = clock.monotonic() + IMMEDIATE_STOP_TIMEOUT_MS;
  for (let left = await processesIn(path, user); left.length > 0; left = await processesIn(path, user)) {
    if (clock.monotonic() > end) throw new PostgresStartError(`Processes ${left.join(", ")} still use ${path}`);
    await clock.sleep(POLL_MS, signal);
  }
  await rm(join(path, "postmaster.pid"), { force: true });
  await removeSocketDir(stale.socketDir);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function removeSocketDir(socketDir: string): Promise<void> {
  if (socketDir.startsWith(SOCKET_DIR_PREFIX)) await rm(socketDir, { recursive: true, force: true });
}
