import { randomBytes } from "node:crypto";
import { access, chown, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Binaries } from "./binaries.ts";
import { PostgresStartError } from "./errors.ts";
import { run, type ProcessUser } from "./processes.ts";

/** The one account and the one database of the embedded server. The account is no superuser; nobody can log in as that. */
export const ACCOUNT = "terrarium";

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

/** Opens `home`/cluster, creating it first when it is not there. Only the owner of `home` may call this. */
export async function openCluster(
  home: string,
  { bin }: Binaries,
  user: ProcessUser | undefined,
  signal?: AbortSignal,
): Promise<Cluster> {
  const path = join(home, "cluster");
  const present = await access(path).then(
    () => true,
    () => false,
  );
  if (!present) await createCluster(home, path, { bin }, user, signal);
  return { path: await realpath(path), password: await readFile(join(path, PASSWORD_FILE), "utf8") };
}

/** Builds aside and renames at the end, so that a creation that was killed leaves nothing that looks like a cluster. */
async function createCluster(
  home: string,
  path: string,
  { bin }: Binaries,
  user: ProcessUser | undefined,
  signal?: AbortSignal,
): Promise<void> {
  for (const name of await readdir(home)) {
    // Its initdb may outlive the killed server for a moment and go on writing.
    const stubborn = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };
    if (name.startsWith("cluster.new-")) await rm(join(home, name), stubborn);
  }
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
