import { endedStates, type Instance, type InstanceState } from "@terrarium/contract";
import { AppError, type Client } from "@terrarium/sdk";
import { Failure } from "./failures.ts";
import type { Printer } from "./printer.ts";
import type { Terminal } from "./terminal.ts";

/** Between two looks at a device. */
const LOOK_MS = 1_000;
/** How long a start may take; a first one may bring its image first. */
export const START_SECONDS = 240;

export interface Awaiting {
  client: Client;
  uuid: string;
  terminal: Terminal;
  print: Printer;
  /** Gives up after so many seconds. */
  seconds: number;
  /** Why it will not get there any more, if it will not. */
  whyNot?: (instance: Instance) => string | null | undefined;
}

/**
 * Waits for a device to be in a state, and tells on a terminal what it is doing. DELETED is also that it is not there any more.
 * Throws a Failure when it can no longer get there, in time, or when the person has enough.
 */
export async function untilState(wanted: InstanceState, awaiting: Awaiting): Promise<Instance | undefined> {
  const { client, uuid, terminal, print, seconds, whyNot } = awaiting;
  const { clock, signal } = terminal;
  const began = clock.monotonic();
  for (;;) {
    const instance = await look(client, uuid);
    if (instance !== "unknown" && (instance?.state ?? "DELETED") === wanted) {
      print.progress("");
      return instance;
    }
    if (instance !== "unknown" && (!instance || endedStates.includes(instance.state)))
      throw new Failure("INSTANCE_ERROR", `The device ${uuid} has ended.`, endOf(instance));
    const problem = instance !== "unknown" && whyNot?.(instance);
    if (problem) throw new Failure("INSTANCE_ERROR", problem);
    const state = instance === "unknown" ? "out of reach" : instance.state;
    const passed = clock.monotonic() - began;
    if (passed > seconds * 1000)
      throw new Failure("INSTANCE_NOT_READY", `The device ${uuid} is ${state} after ${seconds} s, not ${wanted}.`);
    print.progress(`${uuid}: ${state} (${Math.round(passed / 1000)} s)`);
    await clock.sleep(LOOK_MS, signal).catch(() => {
      throw new Failure("INTERRUPTED", `Interrupted while the device ${uuid} was ${state}.`);
    });
  }
}

const endOf = (instance: Instance | undefined): string =>
  [instance?.state, instance?.reason].filter(Boolean).join(", ");

/** Whether the service may answer a moment later: its network, a server or a limit of calls is in between. */
export const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 429 || error.status >= 500);

/** Undefined if it is over. A network that is away for a moment does not end a wait. */
async function look(client: Client, uuid: string): Promise<Instance | "unknown" | undefined> {
  try {
    return await client.instances.get({ params: { uuid } });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "INSTANCE_ENDED") return undefined;
    if (isAway(error)) return "unknown";
    throw error;
  }
}
