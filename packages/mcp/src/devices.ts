import type { Clock } from "@terrarium/clock";
import { AppError, type Instance, type Recipe, runningStates } from "@terrarium/contract";
import { type Client, recipeCalled, untilState } from "@terrarium/sdk";
import { z } from "zod";

/** How long a start is waited for: agents give up a call after a minute. */
const WAIT_MS = 45_000;

/** What the person's devices are asked for, and by what clock. */
export interface Devices {
  client: Client;
  clock: Clock;
}

/** The person's devices that run, the newest change first, and how many there are: a page may not hold all. */
export const running = ({ client }: Devices) =>
  client.instances.list({ query: { state: [...runningStates], page_size: 100 } });

export const deviceLine = ({ uuid, name, state, recipe, stops_at }: Instance): string =>
  `${uuid} ${name}: ${state}, of ${recipe?.name ?? "a recipe that was deleted"}${stops_at ? `, stops at ${stops_at}` : ""}`;

export const recipeLine = ({ uuid, name, os_image, arch }: Recipe): string =>
  `${uuid} ${name} (Android ${os_image?.os_version.os_version ?? "?"}, ${arch ?? "?"})`;

/** The recipe of a uuid or a name. @throws Error if it is none, or several have the name */
export async function findRecipe({ client }: Devices, called: string): Promise<Pick<Recipe, "uuid">> {
  if (z.uuid().safeParse(called).success) return { uuid: called };
  const { recipe } = await recipeCalled(client, called);
  if (!recipe) throw new Error(`Not one recipe is called "${called}". See list_recipes.`);
  return recipe;
}

/**
 * The device as it is when it is online, or when that takes longer than an agent waits. If the agent no longer wants it, it is stopped:
 * nobody would know that it runs.
 * @throws Error if it has ended; what else looking at it throws; the signal's reason
 */
export async function awaitStart(devices: Devices, uuid: string, signal: AbortSignal): Promise<Instance> {
  const { client, clock } = devices;
  const deadline = clock.monotonic() + WAIT_MS;
  let latest: Instance | undefined;
  const onLook = (instance: Instance | undefined) => {
    latest = instance ?? latest;
    if (clock.monotonic() > deadline) throw new SlowStart();
  };
  const sleep = (ms: number, ended = signal) => clock.sleep(ms, ended);
  try {
    return await untilState(client, uuid, "ONLINE", { signal, sleep, onLook });
  } catch (error) {
    if (signal.aborted) await client.instances.stop({ params: { uuid } });
    if (error instanceof SlowStart && latest) return latest;
    if (error instanceof AppError && error.code === "INSTANCE_ENDED")
      throw new Error(`The device has ended: ${error.details?.["reason"]}.`, { cause: error });
    throw error;
  }
}

/** It starts for longer than is waited for. */
class SlowStart extends Error {
  override readonly message = "The device has not started yet.";
}
