import { randomBytes } from "node:crypto";
import { access, chown, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@terrarium/clock";
import type { Binaries } from "./binaries.ts";
import { PostgresStartError } from "./errors.ts";
import { processesWith, run, type ProcessUser } from "./processes.ts";

/** The name of the embedded server's one account and one database. The account is not a superuser; logins as superuser are rejected. */
export const ACCOUNT = "terrarium";

const INITDB_TIMEOUT_MS = 60_000;
const POLL_MS = 20;

const PASSWORD_FILE = "terrarium.password";

const ACCESS_RULES = `# Written by Terrarium: one account, always by password.
local all ${ACCOUNT} scram-sha-256
host all ${ACCOUNT} 127.0.0.1/32 scram-sha-256
`;

/** An initialised PostgreSQL data directory. */
export interface Cluster {
  /** Without symbolic links, to be comparable with what /proc shows. */
  path: string;
  password: string;
}

export interface CreateOptions {
  binaries: Binaries;
  user: ProcessUser | undefined;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/**
 * Opens `home`/cluster, after creating it if needed. The caller must hold the lock of `home`.
 * @throws PostgresStartError with what initdb printed, or for a cluster of another major version
 */
export async function openCluster(home: string, options: CreateOptions): Promise<Cluster> {
  const path = join(home, "cluster");
  const present = await access(path).then(
    () => true,
    () => false,
  );
  if (!present) await createCluster(home, path, options);
  else await refuseOtherMajor(path, options.binaries.major);
  return { path: await realpath(path), password: await readFile(join(path, PASSWORD_FILE), "utf8") };
}

/** PostgreSQL would refuse it too, but without saying what to do. */
async function refuseOtherMajor(path: string, major: string): Promise<void> {
  const found = (await readFile(join(path, "PG_VERSION"), "utf8")).trim();
  if (found === major) return;
  throw new PostgresStartError(
    `The database in ${path} is of PostgreSQL ${found}, which the embedded PostgreSQL ${major} cannot read. Nothing was changed. ` +
      "Start the version of Terrarium that you had, make a backup (npm run operator -- backup FILE), and restore it with this one " +
      "into a new data directory (npm run operator -- restore FILE).",
  );
}

/** Deletes clusters whose creation was interrupted, after waiting for initdb, which may outlive its server for a moment. */
async function clearUnfinished(home: string, clock: Clock, signal?: AbortSignal): Promise<void> {
  const end = clock.monotonic() + INITDB_TIMEOUT_MS;
  for (const name of await readdir(home)) {
    if (!name.startsWith("cluster.new-")) continue;
    const unfinished = join(home, name);
    while (clock.monotonic() < end && (await processesWith(unfinished)).length > 0) await clock.sleep(POLL_MS, signal);
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Creates the cluster in a temporary directory and renames it at the end, so that an interrupted creation is never mistaken for a cluster. */
async function createCluster(
  home: string,
  path: string,
  { binaries: { bin }, user, clock, signal }: CreateOptions,
): Promise<void> {
  await clearUnfinished(home, clock, signal);
  const fresh = await mkdtemp(join(home, "cluster.new-"));
  if (user) await chown(fresh, user.uid, user.gid);

  // The built-in C.UTF-8 sorts the same on every machine, whatever the version of the system's libraries.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  // --no-sync: after a power failure the creation is simply repeated.
  const init = ["-D", fresh, "--username=postgres", "--auth=reject", "--no-sync", "--no-instructions", ...locale];
  const made = await run(join(bin, "initdb"), init, { user, signal });
  if (made.code !== 0) throw new PostgresStartError("initdb failed:", made.output);

  // Single-user mode needs no password and opens no port. It reads one statement per line and reports errors only as text.
  const password = randomBytes(24).toString("hex");
  const statements = [
    `CREATE ROLE ${ACCOUNT} LOGIN CREATEDB PASSWORD '${password}';`,
    `CREATE DATABASE ${ACCOUNT} OWNER ${ACCOUNT};`,
  ];
  const single = ["--single", "-c", "fsync=off", "-D", fresh, "postgres"];
  const set = await run(join(bin, "postgres"), single, { user, signal, input: `${statements.join("\n")}\n` });
  if (set.code !== 0 || /^.*(ERROR|FATAL|PANIC):/m.test(set.output)) {
    throw new PostgresStartError("Creating the database account failed:", set.output.replaceAll(password, "..."));
  }

  await writeFile(join(fresh, "pg_hba.conf"), ACCESS_RULES);
  await writeFile(join(fresh, PASSWORD_FILE), password, { mode: 0o600 });
  await rename(fresh, path);
}
