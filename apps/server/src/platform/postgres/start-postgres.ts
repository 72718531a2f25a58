import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Clock, systemClock } from "@terrarium/clock";
import { Cleanup } from "../clean-up.ts";
import { answers } from "./answers.ts";
import { findBinaries } from "./binaries.ts";
import { ACCOUNT, openCluster, type Cluster } from "./cluster.ts";
import { databaseUser } from "./database-user.ts";
import { findHome, ROOT_HOME } from "./home.ts";
import { keepPostmaster } from "./keep-postmaster.ts";
import { lockDirectory } from "./owner-lock.ts";
import type { PostmasterFile } from "./postmaster-file.ts";
import { findPostmaster, UNIX_SOCKET_PORT, startPostmaster, stopPostmaster, untilReady } from "./postmaster.ts";

export interface PostgresOptions {
  /** Kept between starts; created when missing. */
  dataDir: string;
  /** Also listen on this TCP port of 127.0.0.1, by password. Without it there is only a unix socket. */
  port?: number;
  /** Settings of PostgreSQL beyond ours. */
  settings?: Record<string, string>;
  /** Told when the server ended without being asked, and was started again or could not be. Trying goes on. */
  onCrash?: (outcome: "restarted" | Error) => void;
  clock?: Clock;
  signal?: AbortSignal;
}

export interface Postgres {
  /** For `createDatabase`; holds the password. */
  url: string;
  /** True when the server was still running from an earlier process that did not stop it. */
  adopted: boolean;
  /** Writes everything, ends the server, gives the directory free. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a data directory, or takes over the one that a killed server left running there.
 * @throws DirectoryBusyError when another live server owns the directory; PostgresStartError with the log's last lines.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { port, settings = {}, clock = systemClock, signal, onCrash = () => undefined } = options;
  // What we run works from another directory.
  const dataDir = resolve(options.dataDir);
  const cleanup = new Cleanup();
  try {
    // Where, and nobody else
    await mkdir(dataDir, { recursive: true });
    const home = await findHome(dataDir, await databaseUser(join(dataDir, "cluster")));
    const lock = await lockDirectory(home);
    cleanup.add(() => lock.release());

    // What
    const user = await databaseUser(join(home, "cluster"));
    const binaries = await findBinaries(user ? [ROOT_HOME, home] : [home], user);
    const cluster = await openCluster(home, { binaries, user, clock, signal });

    // Run
    const adopted = await adoptPostmaster(cluster, port, clock, signal);
    const logFile = join(dataDir, "postgres.log");
    const how = { binaries, user, logFile, port, settings, clock };
    const postmaster =
      adopted ??
      (await startPostmaster(cluster, { ...how, signal }).catch(async (error: unknown) => {
        // One that a server started in the instant before it was killed may have been faster than ours.
        const late = await adoptPostmaster(cluster, port, clock, signal);
        if (late) return late;
        throw error;
      }));
    const keeper = keepPostmaster(cluster, postmaster, how, onCrash);
    cleanup.add(() => keeper.stop());
    signal?.throwIfAborted();
    return { url: urlOf(cluster, postmaster), adopted: adopted !== undefined, stop: () => cleanup.run() };
  } catch (error) {
    await cleanup.run();
    throw error;
  }
}

/** One that listens elsewhere than asked, or does not answer with our password, is ended; its data is the same data. */
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
  const asAsked = ready?.port === (port ?? UNIX_SOCKET_PORT) && listens === (port !== undefined);
  if (asAsked && (await answers(urlOf(cluster, ready)))) return ready;
  await stopPostmaster(cluster, found, clock);
  return undefined;
}

function urlOf({ password }: Cluster, { socketDir, port }: PostmasterFile): string {
  return `postgres://${ACCOUNT}:${password}@localhost:${port}/${ACCOUNT}?host=${encodeURIComponent(socketDir)}`;
}
