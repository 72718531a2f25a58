import { createHash, randomBytes } from "node:crypto";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { canReach } from "./database-user.ts";
import { PostgresStartError } from "./errors.ts";
import type { ProcessUser } from "./processes.ts";

/** A file in the data directory that says where the database files are, if they are elsewhere; its first line is the path. */
const POINTER = "database-files.path";

/** For files that the database's account must be able to reach when we run as root. */
export const ROOT_HOME = "/var/lib/terrarium";

/**
 * The directory of the cluster: the data directory itself if the database's account can enter it. It cannot when root runs a clone
 * below /root; the cluster is then in /var/lib/terrarium/<hash of the data directory>-<random> (or, if that is read-only, in a
 * directory with the same name under the temporary directory), and a file in the data directory points to it. The random part is
 * there so that a data directory that was deleted and created again does not find the old data.
 * @throws PostgresStartError when the pointer's target is missing: an empty database would hide the loss of data.
 */
export async function findHome(dataDir: string, user: ProcessUser | undefined): Promise<string> {
  const pointer = join(dataDir, POINTER);
  const [home] = (await readFile(pointer, "utf8").catch(() => "")).split("\n");
  if (home) {
    if (await exists(home)) return home;
    throw new PostgresStartError(
      `The database files of ${dataDir} should be in ${home}, which is not there. Restore it, or delete ${pointer} to begin with an empty database.`,
    );
  }
  if ((await exists(join(dataDir, "cluster"))) || (await canReach(dataDir, user))) return dataDir;
  const created = await createHome(dataDir, user);
  const note = [
    created,
    "",
    "The database of this data directory is kept in the directory above, because the",
    "unprivileged account that PostgreSQL runs under cannot enter this one.",
    "Delete both together, and back up both together.",
    "",
  ];
  await writeFile(pointer, note.join("\n"));
  return created;
}

async function createHome(dataDir: string, user: ProcessUser | undefined): Promise<string> {
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
  throw new PostgresStartError(`No directory could be created for the database of ${dataDir}: ${refused.join("; ")}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
