import type { Clock } from "@terrarium/clock";
import { readdir, readFile } from "node:fs/promises";

const POLL_MS = 10;
/** A process ends at once, unless the kernel waits for a disk. */
const MAX_POLLS = 1_000;

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

/** Ends processes with those of their group, and resolves when they have no file and no port any more. */
export async function endProcesses(pids: readonly number[], clock: Clock): Promise<void> {
  killProcesses(pids.flatMap((pid) => [-pid, pid]));
  for (const pid of pids)
    for (let polls = 0; polls < MAX_POLLS && (await hasFiles(pid)); polls++) await clock.sleep(POLL_MS);
}

/** A zombie, which only waits for its parent, has none; its threads, which share them, may end after it. */
async function hasFiles(pid: number): Promise<boolean> {
  try {
    const [line, threads] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), readdir(`/proc/${pid}/task`)]);
    return threads.length > 1 || !line.includes(") Z ");
  } catch {
    return false;
  }
}
