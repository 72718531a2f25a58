import { readFile, stat } from "node:fs/promises";
import { run, type ProcessUser } from "./processes.ts";

/**
 * The account that PostgreSQL runs under. It refuses to run as root, so under root it gets an unprivileged account: the owner of the
 * cluster if that exists, else `nobody` (initdb requires an account with a name). Undefined means our own account.
 */
export async function databaseUser(cluster: string): Promise<ProcessUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(cluster).catch(() => undefined);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const accounts = await readFile("/etc/passwd", "utf8");
  const nobody = accounts.split("\n").find((line) => line.startsWith("nobody:"));
  const [, , uid = "65534", gid = "65534"] = nobody?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Tests, under that account, whether the directory can be read and entered, so that modes, groups, ACLs and mounts all count. */
export async function canReach(directory: string, user: ProcessUser | undefined): Promise<boolean> {
  const { code } = await run("/bin/sh", ["-c", 'test -r "$1" && test -x "$1"', "sh", directory], { user });
  return code === 0;
}
