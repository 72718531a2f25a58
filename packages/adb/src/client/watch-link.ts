import { type Clock, within } from "@terrarium/clock";
import type { AdbLink } from "./adb-link.ts";

/** Between checks of whether the device still answers, and how long it may take to. */
const HEARTBEAT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 10_000;

/** Closes the link when its device stops answering: a frozen or disconnected machine does not close it. */
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
