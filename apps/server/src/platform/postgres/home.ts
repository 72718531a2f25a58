import { createHash, randomBytes } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { canReach } from "./database-user.ts";
import { PostgresStartError } from "./errors.ts";
import type { ProcessUser } from "./processes.ts";

/** Tells in the data directory where the database files are when they cannot be in it; the path is the first line. */
const POINTER = "database-files.path";

/** Where root keeps what the database's account must reach. */
export const ROOT_HOME = "/var/lib/terrarium";

/**
 * The directory that holds the cluster: the data directory itself wherever the database's account can enter it. It cannot
 * when root runs a clone below /root; the cluster then goes to /var/lib/terrarium/<hash of the data directory>-<random>
 * (or the same name under the temporary directory where that is read-only), and the data directory keeps a pointer file.
 * The random part: a data directory that was deleted and made anew must not find the old data.
 * @throws PostgresStartError when the pointer's target is missing; an empty database would hide that data was lost.
 */
export async function findHome(dataDir: string, user: ProcessUser | undefined): Promise<string> {
  const pointer = join(dataDir, POINTER);
  const [home] = (await readFile(pointer, "utf8").catch(() => "")).split("\n");
  if (home) {
    if (await exists(home)) return home;
    throw new PostgresStartError(
      `The database files of ${dataDir} should be in ${home}, which is not there. Bring it back, or delete ${pointer} to begin with an empty database.`,
    );
  }
  if ((await exists(join(dataDir, "cluster"))) || (await canReach(dataDir, user))) return dataDir;
  const made = await makeHome(dataDir, user);
  const note = [
    made,
    "",
    "The database of this data directory is kept in the directory above, because the",
    "unprivileged account that PostgreSQL runs under cannot enter this one.",
    "Delete both together, and back up both together.",
    "",
  ];
  await writeFile(pointer, note.join("\n"));
  return made;
}

async function makeHome(dataDir: string, user: ProcessUser | undefined): Promise<string> {
  const hash = createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 12);
  const name = `${hash}-${randomBytes(4).toString("hex")}`;
  const refused: string[] = [];
  for (const home of [join(ROOT_HOME, name), join(tmpdir(), `terrarium-${name}`)]) {
    try {
      await mkdir(home, { recursive: true, mode: 0o755 });
      if (await canReach(home, user)) return home;
      refused.push(`${home} cannot be entered by the database's account`);
    } catch (error) {
      refused.push(String(error));
    }
  }
  throw new PostgresStartError(`There is no place for the database of ${dataDir}: ${refused.join("; ")}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
