import { readdir, readFile } from "node:fs/promises";

/** The unit of CPU times in /proc is 1/100 s. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

export interface Usage {
  cpuSeconds: number;
  rssBytes: number;
}

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
    if (!environment.includes(`TERRARIUM_DATA_DIR=${dataDir}`) || !matches(command, roles ?? "")) continue;
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // Count fields from the end of the name, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    usage.cpuSeconds += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS_PER_SECOND;
    usage.rssBytes += Number(fields[21] ?? 0) * PAGE_BYTES;
  }
  return usage;
}

export const megabytes = (bytes: number, digits = 0): string => `${(bytes / 1024 / 1024).toFixed(digits)} MB`;
