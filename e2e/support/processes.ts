import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

export type Role = "server" | "gateway" | "host" | "database" | "backend";

export interface Found {
  pid: number;
  role: Role;
}

/** The unit of CPU times in /proc is 1/100 s. */
const TICKS_PER_SECOND = 100;
const LISTEN = "0A";

/**
 * The processes of the product with this data directory. They are recognised by what does not change when they are started in another way:
 * hosts and PostgreSQL by the log that they write to, the server and its gateway by their environment.
 */
export async function processesOf(dataDir: string): Promise<Found[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const roles = await Promise.all(pids.map((pid) => roleOf(pid, dataDir)));
  return pids.flatMap((pid, index) => (roles[index] ? [{ pid, role: roles[index] }] : []));
}

async function roleOf(pid: number, dataDir: string): Promise<Role | undefined> {
  const [command, output] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""),
    readlink(`/proc/${pid}/fd/1`).catch(() => ""),
  ]);
  // The log may have been rotated since.
  if (output.startsWith(join(dataDir, "simulator.log"))) return "host";
  if (output.startsWith(join(dataDir, "postgres.log")))
    return command.startsWith("postgres: ") ? "backend" : "database";
  const words = command.split("\0");
  if (!words.some((word) => word.endsWith("apps/server/src/main.ts"))) return undefined;
  const environment = (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).split("\0");
  if (!environment.includes(`TERRARIUM_DATA_DIR=${dataDir}`)) return undefined;
  return environment.includes("TERRARIUM_ROLES=gateway") ? "gateway" : "server";
}

/** Whether a backend serves a connection, rather than being one of PostgreSQL's own helpers. */
export async function servesConnection(pid: number): Promise<boolean> {
  return (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).startsWith("postgres: terrarium ");
}

export interface Usage {
  processes: number;
  descriptors: number;
  threads: number;
  /** Resident, without shared memory: each of PostgreSQL's processes would count all of that again. */
  bytes: number;
  /** So far. */
  cpuSeconds: number;
}

/** What processes use now, by role. */
export async function usageOf(found: readonly Found[]): Promise<Partial<Record<Role, Usage>>> {
  const usage: Partial<Record<Role, Usage>> = {};
  for (const { pid, role } of found)
    usage[role] = sumOf([usage[role] ?? nothing, await usageOfProcess(pid, role === "database")]);
  return usage;
}

/** What the processes of these roles use together, in the product with this data directory. */
export async function usageOfRoles(dataDir: string, ...roles: Role[]): Promise<Usage> {
  const usage = await usageOf(await processesOf(dataDir));
  return sumOf(roles.map((role) => usage[role] ?? nothing));
}

const nothing: Usage = { processes: 0, descriptors: 0, threads: 0, bytes: 0, cpuSeconds: 0 };

export const sumOf = (usages: readonly Usage[]): Usage =>
  usages.reduce(
    (sum, usage) => ({
      processes: sum.processes + usage.processes,
      descriptors: sum.descriptors + usage.descriptors,
      threads: sum.threads + usage.threads,
      bytes: sum.bytes + usage.bytes,
      cpuSeconds: sum.cpuSeconds + usage.cpuSeconds,
    }),
    nothing,
  );

/** @param withEnded whether the time of children that have ended counts: those of the postmaster were backends */
async function usageOfProcess(pid: number, withEnded: boolean): Promise<Usage> {
  const [status, stat, descriptors] = await Promise.all([
    readFile(`/proc/${pid}/status`, "utf8").catch(() => ""),
    readFile(`/proc/${pid}/stat`, "utf8").catch(() => ""),
    readdir(`/proc/${pid}/fd`).catch(() => []),
  ]);
  const figure = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  // Fields are counted from behind the name, which may hold anything: user and system time, then those of ended children.
  const times = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, withEnded ? 15 : 13);
  return {
    processes: 1,
    descriptors: descriptors.length,
    threads: figure("Threads"),
    bytes: (figure("VmRSS") - figure("RssShmem")) * 1024,
    cpuSeconds: times.reduce((sum, time) => sum + Number(time), 0) / TICKS_PER_SECOND,
  };
}

/** The TCP ports at which these processes listen: for a simulator host, one for each of its devices. */
export async function portsOf(pids: readonly number[]): Promise<Set<number>> {
  const portOf = new Map<string, number>();
  for (const file of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const line of (await readFile(file, "utf8").catch(() => "")).split("\n").slice(1)) {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      if (state === LISTEN) portOf.set(`socket:[${inode}]`, Number.parseInt(local.split(":")[1] ?? "", 16));
    }
  const ports = new Set<number>();
  for (const pid of pids)
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const port = portOf.get(await readlink(`/proc/${pid}/fd/${fd}`).catch(() => ""));
      if (port !== undefined) ports.add(port);
    }
  return ports;
}
