import { type Clock, within } from "@terrarium/clock";
import type { KeySource } from "../auth/host-auth.ts";
import type { Duplex } from "../connection/duplex.ts";
import { connectAdb } from "./connect-adb.ts";

const TIMEOUT_MS = 5_000;

/** Sets a device's clock to the present time. One whose shell may not do that stays as it is, as does one that does not answer. */
export async function setTime(
  open: () => Duplex,
  { key, clock, signal }: { key: KeySource; clock: Clock; signal: AbortSignal },
): Promise<void> {
  await within(TIMEOUT_MS, clock, signal, async (limited) => {
    const link = await connectAdb(open(), { signal: limited, key });
    try {
      const time = Math.round(clock.now() / 1000);
      // Android's, and busybox's.
      await link.shell(`date -u @${time} || date -u -s @${time}`, { signal: limited });
    } finally {
      link.close();
    }
  }).catch(() => signal.throwIfAborted());
}
