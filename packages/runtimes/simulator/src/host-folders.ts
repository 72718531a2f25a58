import { createHash } from "node:crypto";
import { chownSync, lchownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOST_ACCOUNT, type HostAccount } from "./host-account.ts";

/** sun_path holds 108 bytes, and some systems less. */
const MAX_SOCKET_PATH = 100;
const LARGEST_NUMBER = 99_999;

export interface HostFolders {
  /** For large files of devices, and what the hosts store for themselves. */
  files: string;
  /** For the sockets by which hosts are found and controlled. */
  sockets: string;
}

export const socketIn = (folder: string, number: number): string => join(folder, `${number}.sock`);

/** Creates the folders of the hosts of a data directory, which only their account can enter; root can, too. */
export function prepareFolders(dataDir: string, account: HostAccount | undefined): HostFolders {
  const files = join(dataDir, "simulator");
  mkdirSync(dataDir, { recursive: true });
  giveTo(account, files);
  if (Buffer.byteLength(socketIn(files, LARGEST_NUMBER)) <= MAX_SOCKET_PATH) return { files, sockets: files };
  const hash = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const sockets = join(tmpdir(), `terrarium-${account?.uid ?? process.getuid?.() ?? 0}-${hash}`);
  giveTo(account, sockets);
  return { files, sockets };
}

/** Makes a folder the account's own, with what an earlier server left in it under another account. */
function giveTo(account: HostAccount | undefined, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ours = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const { uid, gid } = account ?? ours;
  const found = lstatSync(folder);
  // In a directory for everybody's temporary files, somebody else may have been first.
  const isKnown = found.uid === ours.uid || (ours.uid === 0 && found.uid === HOST_ACCOUNT.uid);
  if (!found.isDirectory() || !isKnown || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder of the simulator's hosts alone`);
  if (found.uid === uid) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, name), uid, gid);
  chownSync(folder, uid, gid);
}
