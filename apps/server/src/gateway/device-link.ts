import { type AdbLink, connectAdb, dial } from "@terrarium/adb";
import type { Clock } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { within } from "./within.ts";

/** A daemon that does not greet by then is not there yet; the next try may find it. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Between looks at whether the device has booted: soon again at first, for a simulated one takes no longer, then twice as long each time. */
const FIRST_BOOT_POLL_MS = 10;
const LAST_BOOT_POLL_MS = 160;
/** Between questions to a device that has nothing to say, and how long the answer may take. */
const HEARTBEAT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 10_000;

/** Package manager, input and launcher, asked in one breath. Not until all three answer does a tap do what it should. */
const BOOT_QUESTION = "getprop sys.boot_completed; pm path android; dumpsys window | grep mCurrentFocus";

/** Connects to a machine's adb daemon. Rejects when it does not greet in time; the signal ends the wait. */
export async function linkTo(address: AdbAddress, clock: Clock, signal: AbortSignal): Promise<AdbLink> {
  return within(CONNECT_TIMEOUT_MS, clock, signal, (limited) => connectAdb(dial(address), { signal: limited }));
}

/** Resolves when the device has really booted. */
export async function untilBooted(link: AdbLink, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let pollMs = FIRST_BOOT_POLL_MS; ; pollMs = Math.min(LAST_BOOT_POLL_MS, pollMs * 2)) {
    const { stdout } = await link.shell(BOOT_QUESTION, { signal });
    if (/^1$/m.test(stdout) && /^package:/m.test(stdout) && /mCurrentFocus=Window\{/.test(stdout)) return;
    await clock.sleep(pollMs, signal);
  }
}

/** Closes a link whose device does not answer any more: a machine that was frozen or cut off says nothing by itself. */
export async function watchLink(link: AdbLink, clock: Clock): Promise<void> {
  while (!link.gone.aborted) {
    try {
      await clock.sleep(HEARTBEAT_MS, link.gone);
      await within(ANSWER_TIMEOUT_MS, clock, link.gone, (signal) => link.shell("true", { signal }));
    } catch {
      link.close();
    }
  }
}
