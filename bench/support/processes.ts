import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The unit of CPU times in /proc is 1/100 s. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export interface Usage {
  cpuSeconds: number;
  rssBytes: number;
}

const isMain = (command: string) => command.includes("apps/server/src/main.ts");

/** The parts of the product, for `usageOf`; `both` are the server and its gateway. */
export const parts = {
  server: (command: string, roles: string) => isMain(command) && roles !== "gateway",
  gateway: (command: string, roles: string) => isMain(command) && roles === "gateway",
  both: isMain,
  simulator: (command: string) => command.includes("simulator/src/host-main.ts"),
};

/**
 * The total usage so far of the processes of the server with this data directory, as other servers may run on the same machine. `matches`
 * selects among them by their command line and TERRARIUM_ROLES.
 */
export async function usageOf(dataDir: string, matches: (command: string, roles: string) => boolean): Promise<Usage> {
  const usage: Usage = { cpuSeconds: 0, rssBytes: 0 };
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const command = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).replaceAll("\0", " ");
    const environment = (await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")).split("\0");
    const roles = environment.find((line) => line.startsWith("TERRARIUM_ROLES="))?.slice("TERRARIUM_ROLES=".length);
    // Simulator hosts have an empty environment, but are told where their socket is.
    const isOurs = environment.includes(`TERRARIUM_DATA_DIR=${dataDir}`) || command.includes(`${dataDir}/`);
    if (!isOurs || !matches(command, roles ?? "")) continue;
    add(usage, await statOf(pid));
  }
  return usage;
}

/** What the embedded database of a server with this data folder has used so far: the postmaster and its backends. */
export async function usageOfDatabase(dataDir: string): Promise<Usage> {
  const usage: Usage = { cpuSeconds: 0, rssBytes: 0 };
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  // Its files may be elsewhere, but the postmaster's command line names the socket directory.
  const socketDir = new URL(await readFile(join(dataDir, "database-url"), "utf8")).searchParams.get("host") ?? "";
  const postmaster = pids[commands.findIndex((command) => command.includes("\0-D\0") && command.includes(socketDir))];
  if (postmaster === undefined) throw new Error(`no database runs in ${dataDir}`);
  for (const pid of pids) {
    const stat = await statOf(pid);
    if (pid === postmaster || stat.parent === postmaster) add(usage, stat);
    // Backends that have ended are counted in their parent.
    if (pid === postmaster) usage.cpuSeconds += stat.endedCpuSeconds;
  }
  return usage;
}

async function statOf(pid: string): Promise<Usage & { parent: string; endedCpuSeconds: number }> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  // Fields are counted from behind the name, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return {
    parent: fields[1] ?? "",
    cpuSeconds: (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND,
    endedCpuSeconds: (Number(fields[13] ?? 0) + Number(fields[14] ?? 0)) / TICKS_PER_SECOND,
    rssBytes: Number(fields[21] ?? 0) * PAGE_BYTES,
  };
}

function add(usage: Usage, { cpuSeconds, rssBytes }: Usage): void {
  usage.cpuSeconds += cpuSeconds;
  usage.rssBytes += rssBytes;
}

export const megabytes = (bytes: number, digits = 0): string => `${(bytes / 1024 / 1024).toFixed(digits)} MB`;
