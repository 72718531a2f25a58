import { processesOf, type Role } from "../support/processes.ts";
import { pick } from "../support/random.ts";

export interface KillOptions {
  /** When the process is to be killed. */
  reached: Promise<void>;
  role: Role;
  random: () => number;
  dataDir: string;
}

/**
 * Kills one of the processes with this role. It stands still from the moment itself until it is killed, so that `look` sees what it had done.
 * @throws Error if there is none
 */
export async function killAt<Seen>(
  { reached, role, random, dataDir }: KillOptions,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const found = (await processesOf(dataDir)).filter((one) => one.role === role);
  const target = pick(found, random);
  if (!target) throw new Error(`there is no ${role} to be killed`);
  await reached;
  process.kill(target.pid, "SIGSTOP");
  try {
    return await look();
  } finally {
    process.kill(target.pid, "SIGKILL");
  }
}
