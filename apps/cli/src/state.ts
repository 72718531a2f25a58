import type { Instance, InstanceState } from "@terrarium/contract";
import { AppError, type Client, untilState as lookUntil } from "@terrarium/sdk";
import { Failure } from "./failures.ts";
import type { Printer } from "./printer.ts";
import type { Terminal } from "./terminal.ts";

/** How long a start may take; a first one may bring its image first. */
export const START_SECONDS = 240;

export interface Awaiting {
  client: Client;
  uuid: string;
  terminal: Terminal;
  print: Printer;
  /** Gives up after this many seconds. */
  seconds: number;
  /** Why it will not get there any more, if it will not. */
  whyNot?: (instance: Instance) => string | null | undefined;
}

/**
 * Waits for a device to be in a state, and shows on a terminal what it is doing. One that is not there any more counts as DELETED. Throws a
 * Failure when it can no longer get there, or not in time, or when the person interrupts it.
 */
export async function untilState(wanted: InstanceState, awaiting: Awaiting): Promise<Instance | undefined> {
  const { client, uuid, terminal, print, seconds, whyNot } = awaiting;
  const { clock, signal } = terminal;
  const began = clock.monotonic();
  let state = "out of reach";
  const onLook = (instance: Instance | undefined) => {
    const problem = instance && whyNot?.(instance);
    if (problem) throw new Failure("INSTANCE_ERROR", problem);
    state = instance?.state ?? "out of reach";
    const passed = clock.monotonic() - began;
    if (passed > seconds * 1000)
      throw new Failure("INSTANCE_NOT_READY", `The device ${uuid} is ${state} after ${seconds} s, not ${wanted}.`);
    print.progress(`${uuid}: ${state} (${Math.round(passed / 1000)} s)`);
  };
  try {
    return await lookUntil(client, uuid, wanted, { signal, sleep: (ms) => clock.sleep(ms, signal), onLook });
  } catch (error) {
    if (error instanceof AppError && error.code === "INSTANCE_ENDED")
      throw new Failure("INSTANCE_ERROR", `The device ${uuid} has ended.`, error.details?.["reason"]);
    if (!signal.aborted || error instanceof Failure) throw error;
    throw new Failure("INTERRUPTED", `Interrupted while the device ${uuid} was ${state}.`);
  } finally {
    print.progress("");
  }
}
