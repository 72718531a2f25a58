import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { exitCodes, type ExitCodeName, Failure } from "./failures.ts";
import { isUuid } from "./given.ts";
import type { Terminal } from "./terminal.ts";

/** A tunnel that a process of its own holds open. */
const Tunnel = z.object({
  uuid: z.guid(),
  pid: z.int(),
  port: z.int(),
  serial: z.string(),
  /** CONNECTED: the adb server of this machine has the device. FAILED: it does not, and `problem` says why. */
  state: z.enum(["PENDING", "CONNECTED", "FAILED"]),
  problem: z.string(),
  /** What whoever waits for it exits with if it failed. */
  exit: z.enum(Object.keys(exitCodes) as [ExitCodeName, ...ExitCodeName[]]),
});
export type Tunnel = z.infer<typeof Tunnel>;

const folderOf = ({ folder }: Terminal) => join(folder, "tunnels");
/** A file that its process has not written for as long is of one that crashed, and its number may be another program's by now. */
const FORGOTTEN_MS = 60_000;

function fileOf(terminal: Terminal, uuid: string): string {
  if (!isUuid(uuid)) throw new Failure("USAGE_ERROR", `"${uuid}" is not the identifier of a device.`);
  return join(folderOf(terminal), `${uuid}.json`);
}

/** Again and again, so that others know that it is there still. */
export async function writeTunnel(terminal: Terminal, tunnel: Tunnel): Promise<void> {
  const file = fileOf(terminal, tunnel.uuid);
  const next = `${file}.${process.pid}`;
  await writeFile(next, JSON.stringify(tunnel), { mode: 0o600 });
  await rename(next, file);
}

/** The first time; false if another process holds a tunnel to the device. */
export async function claimTunnel(terminal: Terminal, tunnel: Tunnel): Promise<boolean> {
  await mkdir(folderOf(terminal), { recursive: true, mode: 0o700 });
  if (await findTunnel(terminal, tunnel.uuid)) return false;
  return writeFile(fileOf(terminal, tunnel.uuid), JSON.stringify(tunnel), { mode: 0o600, flag: "wx" }).then(
    () => true,
    async (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      // It is there, and empty, where the disk is full.
      await removeTunnel(terminal, tunnel.uuid);
      throw error;
    },
  );
}

export const removeTunnel = (terminal: Terminal, uuid: string): Promise<void> =>
  rm(fileOf(terminal, uuid), { force: true });

/** The tunnel of a device, unless its process is gone. */
export async function findTunnel(terminal: Terminal, uuid: string): Promise<Tunnel | undefined> {
  const file = fileOf(terminal, uuid);
  const text = await readFile(file, "utf8").catch(() => "null");
  const { data: tunnel } = Tunnel.safeParse(parse(text));
  const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
  const isForgotten = terminal.clock.now() - mtimeMs >= FORGOTTEN_MS;
  if (tunnel && !isForgotten && isAlive(tunnel.pid)) return tunnel;
  // One that cannot be read is left for as long as it may be written at the moment.
  if (tunnel || isForgotten) await removeTunnel(terminal, uuid);
  return undefined;
}

/** All that are open, by the uuid of their device. */
export async function allTunnels(terminal: Terminal): Promise<Map<string, Tunnel>> {
  const files = await readdir(folderOf(terminal)).catch(() => []);
  const uuids = files.map((name) => name.replace(/\.json$/, "")).filter(isUuid);
  const tunnels = await Promise.all(uuids.map((uuid) => findTunnel(terminal, uuid)));
  return new Map(tunnels.flatMap((tunnel) => (tunnel ? [[tunnel.uuid, tunnel]] : [])));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is being written.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
