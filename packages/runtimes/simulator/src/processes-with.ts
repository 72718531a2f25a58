import { readdir, readFile } from "node:fs/promises";

/** The ids of the processes with this word in their command line, as far as /proc shows them; not our own. */
export async function processesWith(word: string): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  return pids.filter((pid, at) => pid !== process.pid && lines[at]!.split("\0").includes(word));
}

/** Kills processes; those that have ended meanwhile are passed over. */
export function killProcesses(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
}
