import { AppError, endedStates, type Instance, type InstanceState } from "@terrarium/contract";
import type { Client } from "./client.ts";
import { wait } from "./persist.ts";

const LOOK_MS = 1_000;

interface UntilOptions {
  signal?: AbortSignal;
  sleep?: typeof wait;
  /** Called after each look that did not find it there yet, with nothing if the service is away. What it throws ends the wait. */
  onLook?(instance: Instance | undefined): void;
}

type Reached<State> = State extends "DELETED" ? Instance | undefined : Instance;

/** Whether the service may answer a moment later: its network, a server or a limit of calls is in between. */
export const isAway = (error: unknown): boolean =>
  error instanceof AppError && (error.status === 429 || error.status >= 500);

/**
 * Looks at a device once a second until it is in a state, such as ONLINE, even while the service is away; resolves with the device as it is
 * then. A device that is not there any more counts as DELETED: undefined.
 * @throws AppError INSTANCE_ENDED if it can no longer be; what else looking at it throws; the signal's reason, such as
 * `AbortSignal.timeout(240_000)`
 */
export async function untilState<State extends InstanceState>(
  client: Client,
  uuid: string,
  state: State,
  { signal, sleep = wait, onLook }: UntilOptions = {},
): Promise<Reached<State>> {
  for (;;) {
    const found = await client.instances.get({ params: { uuid } }, { signal, retries: 0 }).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "INSTANCE_ENDED") return undefined;
      if (isAway(error)) return "away" as const;
      throw error;
    });
    if (found !== "away") {
      if ((found?.state ?? "DELETED") === state) return found as Reached<State>;
      if (!found || endedStates.includes(found.state))
        throw new AppError("INSTANCE_ENDED", { details: { reason: found?.reason ?? found?.state ?? "DELETED" } });
    }
    onLook?.(found === "away" ? undefined : found);
    await sleep(LOOK_MS, signal);
  }
}
