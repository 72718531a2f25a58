import type { Clock } from "@terrarium/clock";
import { killProcesses } from "@terrarium/runtime";
import { readdir, readFile } from "node:fs/promises";

const POLL_MS = 10;
/** It ends at once, unless the kernel waits for a disk. */
const MAX_POLLS = 1_000;

/** Ends processes, and resolves when they have no file and no port any more. */
export async function endProcesses(pids: readonly number[], clock: Clock): Promise<void> {
  killProcesses(pids);
  for (const pid of pids)
    for (let polls = 0; polls < MAX_POLLS && (await hasFiles(pid)); polls++) await clock.sleep(POLL_MS);
}

/** One that only waits for its parent to be told has none; its threads, which share them, may end after it. */
async function hasFiles(pid: number): Promise<boolean> {
  try {
    const [line, threads] = await Promise.all([readFile(`/proc/${pid}/stat`, "utf8"), readdir(`/proc/${pid}/task`)]);
    return threads.length > 1 || !line.includes(") Z ");
  } catch {
    return false;
  }
}
