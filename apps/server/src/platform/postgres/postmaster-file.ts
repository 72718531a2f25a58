import { readFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * What a running PostgreSQL writes into `postmaster.pid`, one value per line: process id, data directory, start time, port, socket
 * directory, listen address, shared memory key, status.
 * https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/utils/pidfile.h
 */
export interface PostmasterFile {
  pid: number;
  port: number;
  socketDir: string;
  /** Empty when it has no TCP port. */
  listenAddress: string;
  status: string;
}

/** Undefined when the file does not exist or is incomplete. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(cluster, "postmaster.pid"), "utf8").catch(() => "");
  const [pid, , , port, socketDir = "", listenAddress = "", , status = ""] = text.split("\n");
  if (!Number(pid)) return undefined;
  return { pid: Number(pid), port: Number(port), socketDir, listenAddress, status: status.trim() };
}
