import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Terminal } from "./terminal.ts";

/** A tunnel that a process of its own keeps open. */
const Tunnel = z.object({
  uuid: z.guid(),
  pid: z.int(),
  port: z.int(),
  serial: z.string(),
  /** CONNECTED: the adb server of this machine has the device. FAILED: it does not, and `problem` says why. */
  state: z.enum(["PENDING", "CONNECTED", "FAILED"]),
  problem: z.string().default(""),
});
export type Tunnel = z.infer<typeof Tunnel>;

const folderOf = ({ folder }: Terminal) => join(folder, "tunnels");
const fileOf = (terminal: Terminal, uuid: string) => join(folderOf(terminal), `${uuid}.json`);

export async function writeTunnel(terminal: Terminal, tunnel: Tunnel): Promise<void> {
  await mkdir(folderOf(terminal), { recursive: true, mode: 0o700 });
  const file = fileOf(terminal, tunnel.uuid);
  await writeFile(`${file}.new`, JSON.stringify(tunnel), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export const removeTunnel = (terminal: Terminal, uuid: string): Promise<void> =>
  rm(fileOf(terminal, uuid), { force: true });

/** The tunnel of a device, unless its process is gone. */
export async function findTunnel(terminal: Terminal, uuid: string): Promise<Tunnel | undefined> {
  const text = await readFile(fileOf(terminal, uuid), "utf8").catch(() => "null");
  const { data: tunnel } = Tunnel.safeParse(JSON.parse(text));
  if (tunnel && isAlive(tunnel.pid)) return tunnel;
  if (tunnel) await removeTunnel(terminal, uuid);
  return undefined;
}

/** All that are open, by the uuid of their device. */
export async function allTunnels(terminal: Terminal): Promise<Map<string, Tunnel>> {
  const files = await readdir(folderOf(terminal)).catch(() => []);
  const uuids = files.filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -".json".length));
  const tunnels = await Promise.all(uuids.map((uuid) => findTunnel(terminal, uuid)));
  return new Map(tunnels.flatMap((tunnel) => (tunnel ? [[tunnel.uuid, tunnel]] : [])));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
