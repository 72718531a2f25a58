import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A program and the words before the host's own options. */
export interface HostCommand {
  command: string;
  args: readonly string[];
}

/** The program of the host process; its options stand in the file. */
const hostMain = new URL("./host-main.ts", import.meta.url);

/** sun_path holds 108 bytes, and some systems less. */
const MAX_SOCKET_PATH = 100;

/** Where the host of a data folder listens: in it, or in a private folder beside when the path would be too long. */
export function socketPath(dataDir: string): string {
  const inside = join(resolve(dataDir), "simulator.sock");
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH) {
    mkdirSync(dataDir, { recursive: true });
    return inside;
  }
  const uid = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `terrarium-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid: owner, mode } = statSync(folder);
  if (owner !== uid || (mode & 0o077) !== 0) throw new Error(`${folder} is not a folder of this user alone`);
  return join(folder, `${createHash("sha256").update(resolve(dataDir)).digest("hex").slice(0, 16)}.sock`);
}

/**
 * This node with the simulator's program, such that memory of pictures goes back to the system when it is freed. By
 * itself glibc moves its threshold up to the largest block that was ever freed; pictures then lie among small blocks, and
 * a burst of starts leaves the host with gigabytes for as long as it runs. glibc reads this before any program of ours.
 */
const simulator = (): HostCommand => ({
  command: "/usr/bin/env",
  args: ["MALLOC_MMAP_THRESHOLD_=131072", process.execPath, fileURLToPath(hostMain)],
});

export interface SpawnOptions {
  dataDir: string;
  hostCommand?: HostCommand;
  maxDevices?: number;
  orphanMs?: number;
  maxDiskMb?: number;
}

/** Starts a host that does not end with this process. Its output goes to `simulator.log` in the data folder. */
export function spawnHost(
  { dataDir, hostCommand, maxDevices, orphanMs, maxDiskMb }: SpawnOptions,
  path: string,
): { pid: number | undefined; logFile: string } {
  const { command, args } = hostCommand ?? simulator();
  const logFile = join(resolve(dataDir), "simulator.log");
  const words = [...args, "--socket", path, "--files", join(resolve(dataDir), "simulator-files")];
  const add = (name: string, value: number | undefined) =>
    value === undefined ? undefined : words.push(name, String(value));
  add("--max-devices", maxDevices);
  add("--orphan-ms", orphanMs);
  add("--max-disk-mb", maxDiskMb);
  const log = openSync(logFile, "a", 0o600);
  try {
    const child = spawn(command, words, { detached: true, stdio: ["ignore", log, log], cwd: "/" });
    // It failed to start, which is reported by whoever waits for its socket.
    child.on("error", () => undefined);
    child.unref();
    return { pid: child.pid, logFile };
  } finally {
    closeSync(log);
  }
}
