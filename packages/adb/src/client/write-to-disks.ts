import { type Clock, within } from "@terrarium/clock";
import type { KeySource } from "../auth/host-auth.ts";
import type { Duplex } from "../connection/duplex.ts";
import { connectAdb } from "./connect-adb.ts";

const SYNC_TIMEOUT_MS = 30_000;

/**
 * A device writes to its disks what it has in memory only, so that they can be copied.
 * @throws Error if it does not, or does not in half a minute; the signal's reason
 */
export async function writeToDisks(
  open: () => Duplex,
  { key, clock, signal }: { key: KeySource; clock: Clock; signal: AbortSignal },
): Promise<void> {
  const link = await connectAdb(open(), { signal, key });
  try {
    const { exitCode, stderr } = await within(SYNC_TIMEOUT_MS, clock, signal, (limited) =>
      link.shell("sync", { signal: limited }),
    );
    if (exitCode !== 0) throw new Error(`the device could not write all to its disks: ${stderr}`);
  } finally {
    link.close();
  }
}
