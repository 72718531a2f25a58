import { type Clock, within } from "@terrarium/clock";
import type { KeySource } from "../auth/host-auth.ts";
import type { Duplex } from "../connection/duplex.ts";
import { type BootEvidence, saysBooted } from "./boot-evidence.ts";
import { connectAdb } from "./connect-adb.ts";

const POLL_MS = 500;
const ASK_TIMEOUT_MS = 10_000;
/** A connection that is begun before there is a network may never be made, while the next is at once. */
const CONNECT_TIMEOUT_MS = 3_000;

export interface BootWait {
  /** A new connection to the device's adb. */
  open: () => Duplex;
  key: KeySource;
  clock: Clock;
  /** It must have booted by then. */
  bootMs: number;
  /** By default that Android says so. */
  evidence?: BootEvidence;
  signal: AbortSignal;
}

/**
 * A device is up when its adb answers, and it shows what it is to show.
 * @throws Error that says how far it came in the time; the signal's reason
 */
export async function waitForBoot(wait: BootWait): Promise<void> {
  const { open, key, clock, bootMs, evidence = saysBooted, signal: end } = wait;
  let stage: string | undefined = "its adb did not answer";
  const ask = (signal: AbortSignal): Promise<boolean> =>
    within(ASK_TIMEOUT_MS, clock, signal, async (limited) => {
      const link = await within(CONNECT_TIMEOUT_MS, clock, limited, (connecting) =>
        connectAdb(open(), { signal: connecting, key }),
      );
      try {
        stage = evidence.missing("");
        stage = evidence.missing((await link.shell(evidence.command, { signal: limited })).stdout);
        return stage === undefined;
      } finally {
        link.close();
      }
    });
  try {
    await within(bootMs, clock, end, async (signal) => {
      while (!(await ask(signal).catch(() => false))) await clock.sleep(POLL_MS, signal);
    });
  } catch (error) {
    end.throwIfAborted();
    throw new Error(`${stage} in ${bootMs / 1000} s`, { cause: error });
  }
}
