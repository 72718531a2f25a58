import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Clock, systemClock } from "@terrarium/clock";
import { Cleanup } from "../clean-up.ts";
import { canConnect } from "./can-connect.ts";
import { findBinaries } from "./binaries.ts";
import { ACCOUNT, openCluster, type Cluster } from "./cluster.ts";
import { databaseUser } from "./database-user.ts";
import { findHome, ROOT_HOME } from "./home.ts";
import { supervisePostmaster } from "./supervise-postmaster.ts";
import { lockDirectory } from "./owner-lock.ts";
import type { PostmasterFile } from "./postmaster-file.ts";
import { findPostmaster, UNIX_SOCKET_PORT, startPostmaster, stopPostmaster, untilReady } from "./postmaster.ts";

export interface PostgresOptions {
  /** Stays between starts; created when missing. */
  dataDir: string;
  /** Also listen on this TCP port of 127.0.0.1. By default there is only a unix socket. */
  port?: number;
  /** Additional PostgreSQL settings. */
  settings?: Record<string, string>;
  /** Called after an unexpected end of the server, when it was restarted or could not be. Failed restarts are retried. */
  onCrash?: (outcome: "restarted" | Error) => void;
  clock?: Clock;
  signal?: AbortSignal;
}

export interface Postgres {
  /** For `createDatabase`; contains the password. */
  url: string;
  /** True when a server left running by an earlier process was taken over. */
  adopted: boolean;
  /** Stops the server and releases the directory. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a data directory, or takes over one that a killed process left running there.
 * @throws DirectoryBusyError when another process uses the directory; PostgresStartError with the end of the log.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, settings = {}, clock = systemClock, signal, onCrash = () => undefined } = options;
  // Programs we run have another working directory.
  const dataDir = resolve(options.dataDir);
  const cleanup = new Cleanup();
  try {
    // Lock
    await mkdir(dataDir, { recursive: true });
    const home = await findHome(dataDir, await databaseUser(join(dataDir, "cluster")));
    const lock = await lockDirectory(home);
    cleanup.add(() => lock.release());

    // Set up
    const user = await databaseUser(join(home, "cluster"));
    const binaries = await findBinaries(user ? [ROOT_HOME, home] : [home], user);
    const cluster = await openCluster(home, { binaries, user, clock, signal });

    // Run
    const adopted = await adoptPostmaster(cluster, port, clock, signal);
    const logFile = join(dataDir, "postgres.log");
    const startOptions = { binaries, user, logFile, port, settings, clock };
    const postmaster =
      adopted ??
      (await startPostmaster(cluster, { ...startOptions, signal }).catch(async (error: unknown) => {
        // A process that was killed while starting it may have left one that was faster than ours.
        const late = await adoptPostmaster(cluster, port, clock, signal);
        if (late) return late;
        throw error;
      }));
    const supervisor = supervisePostmaster(cluster, postmaster, startOptions, onCrash);
    cleanup.add(() => supervisor.stop());
    signal?.throwIfAborted();
    return { url: urlOf(cluster, postmaster), adopted: adopted !== undefined, stop: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** Takes over a running server. One on another port, or that rejects our password, is stopped instead, to be started again on the same data. */
async function adoptPostmaster(
  cluster: Cluster,
  port: number | undefined,
  clock: Clock,
  signal?: AbortSignal,
): Promise<PostmasterFile | undefined> {
  const found = await findPostmaster(cluster);
  if (!found) return undefined;
  const ready = found.status === "stopping" ? undefined : await untilReady(cluster, found.pid, clock, signal);
  const listens = ready && ready.listenAddress !== "";
  const isAsConfigured = ready?.port === (port ?? UNIX_SOCKET_PORT) && listens === (port !== undefined);
  if (isAsConfigured && (await canConnect(urlOf(cluster, ready)))) return ready;
  await stopPostmaster(cluster, found, clock);
  return undefined;
}

function urlOf({ password }: Cluster, { socketDir, port }: PostmasterFile): string {
  return `postgres://${ACCOUNT}:${password}@localhost:${port}/${ACCOUNT}?host=${encodeURIComponent(socketDir)}`;
}
