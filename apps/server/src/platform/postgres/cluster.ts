import { randomBytes } from "node:crypto";
import { access, chown, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@terrarium/clock";
import type { Binaries } from "./binaries.ts";
import { PostgresStartError } from "./errors.ts";
import { processesWith, run, type ProcessUser } from "./processes.ts";

/** The one account and the one database of the embedded server. The account is no superuser; nobody can log in as that. */
export const ACCOUNT = "terrarium";

const INITDB_TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 20;

const PASSWORD_FILE = "terrarium.password";

const ACCESS_RULES = `# Written by Terrarium: one account, always by password.
local all ${ACCOUNT} scram-sha-256
host all ${ACCOUNT} 127.0.0.1/32 scram-sha-256
`;

/** An initialised PostgreSQL data directory. */
export interface Cluster {
  /** Without symbolic links, as the kernel shows it for a process that works in it. */
  path: string;
  password: string;
}

export interface HowToCreate {
  binaries: Binaries;
  user: ProcessUser | undefined;
  clock: Clock;
  signal: AbortSignal | undefined;
}

/** Opens `home`/cluster, creating it first when it is not there. Only the owner of `home` may call this. */
export async function openCluster(home: string, how: HowToCreate): Promise<Cluster> {
  const path = join(home, "cluster");
  const present = await access(path).then(
    () => true,
    () => false,
  );
  if (!present) await createCluster(home, path, how);
  return { path: await realpath(path), password: await readFile(join(path, PASSWORD_FILE), "utf8") };
}

/** Removes creations that were cut off. An initdb may outlive its server for a moment; it is waited for, else it would write on or crash. */
async function clearUnfinished(home: string, clock: Clock, signal?: AbortSignal): Promise<void> {
  const end = clock.now() + INITDB_TIMEOUT_MS;
  for (const name of await readdir(home)) {
    if (!name.startsWith("cluster.new-")) continue;
    const unfinished = join(home, name);
    while (clock.now() < end && (await processesWith(unfinished)).length > 0) await clock.sleep(LOOK_EVERY_MS, signal);
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Builds aside and renames at the end, so that a creation that was killed leaves nothing that looks like a cluster. */
async function createCluster(
  home: string,
  path: string,
  { binaries: { bin }, user, clock, signal }: HowToCreate,
): Promise<void> {
  await clearUnfinished(home, clock, signal);
  const fresh = await mkdtemp(join(home, "cluster.new-"));
  if (user) await chown(fresh, user.uid, user.gid);

  // The built-in C.UTF-8 sorts the same on every machine and does not change under us when a library is upgraded.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  // Nothing is lost when the power fails here but a creation that can be repeated.
  const init = ["-D", fresh, "--username=postgres", "--auth=reject", "--no-sync", "--no-instructions", ...locale];
  const made = await run(join(bin, "initdb"), init, { user, signal });
  if (made.code !== 0) throw new PostgresStartError("initdb failed:", made.output);

  // Single-user mode needs no password and no open port. It takes one statement a line and reports errors by text alone.
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
