import { type AdbLink, answersAll, connectAdb, type KeySource } from "@terrarium/adb";
import { type Clock, within } from "@terrarium/clock";
import type { AdbAddress } from "@terrarium/runtime";
import { dial } from "./dial.ts";

/** A daemon that has not greeted by then is not up yet; the next attempt may find it. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Between checks of whether the device has booted. A simulated one boots within the first; for others the interval doubles. */
const FIRST_BOOT_POLL_MS = 10;
const LAST_BOOT_POLL_MS = 160;

/**
 * Connects to a machine's adb daemon, with `key` if the device asks for one. Rejects when it does not greet in time, or with
 * the signal's reason.
 */
export async function linkTo(
  address: AdbAddress,
  clock: Clock,
  signal: AbortSignal,
  key?: KeySource,
): Promise<AdbLink> {
  return within(CONNECT_TIMEOUT_MS, clock, signal, (limited) => connectAdb(dial(address), { signal: limited, key }));
}

/** Whether a device can run Java programs, as scrcpy's server is one. Only Androids can. */
export async function runsScrcpy(link: Pick<AdbLink, "shell">, signal: AbortSignal): Promise<boolean> {
  return (await link.shell("command -v app_process", { signal })).exitCode === 0;
}

/** Resolves once the device has fully booted. With `mayBeOther`, one that is no Android has when its adb answers. */
export async function untilBooted(
  link: Pick<AdbLink, "shell">,
  clock: Clock,
  signal: AbortSignal,
  mayBeOther = false,
): Promise<void> {
  if (mayBeOther && !(await runsScrcpy(link, signal))) return;
  for (let pollMs = FIRST_BOOT_POLL_MS; ; pollMs = Math.min(LAST_BOOT_POLL_MS, pollMs * 2)) {
    const { stdout } = await link.shell(answersAll.command, { signal });
    if (answersAll.missing(stdout) === undefined) return;
    await clock.sleep(pollMs, signal);
  }
}
