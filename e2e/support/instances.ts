import type { Instance } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { setTimeout } from "node:timers/promises";

interface Start {
  name?: string;
  search?: string;
  /** Minutes; those of the organization if not given. */
  timeouts?: { inactivity: number; global: number };
}

/** Starts a device from the first recipe of a search. */
export async function startDevice(
  client: Client,
  { name = "e2e", search = "Phone 6.1", timeouts }: Start = {},
): Promise<Instance> {
  const { results } = await client.recipes.list({ query: { search, page_size: 1 } });
  const recipe = results[0];
  if (!recipe) throw new Error(`no recipe found for ${search}`);
  return client.recipes.start({
    params: { uuid: recipe.uuid },
    body: { instance_name: name, rename_on_conflict: true, ...(timeouts && { timeouts }) },
  });
}

const TIMEOUT_MS = 60_000;
const POLL_MS = 20;

/** Polls until a condition holds, for at most a minute by default; errors count as not yet. The server is another process, so there is no event to await. */
export async function eventually<Value>(
  what: string,
  look: () => Promise<Value | undefined | false>,
  timeoutMs = TIMEOUT_MS,
): Promise<Value> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await setTimeout(POLL_MS);
  }
}

export const untilState = (client: Client, uuid: string, state: Instance["state"]): Promise<Instance> =>
  eventually(`${uuid} is ${state}`, async () => {
    const instance = await client.instances.get({ params: { uuid } });
    return instance.state === state && instance;
  });
