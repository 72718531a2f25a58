import { readdir, readFile } from "node:fs/promises";

/** The ids of the processes with these words in their command line, as far as /proc shows them; not our own. */
export async function processesWith(...words: string[]): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")));
  const has = (line: string) => words.every((word) => line.split("\0").includes(word));
  return pids.filter((pid, at) => pid !== process.pid && has(lines[at]!));
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
