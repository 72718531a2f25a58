import type { Instance } from "@terrarium/contract";
import type { Client } from "@terrarium/sdk";
import { setTimeout } from "node:timers/promises";

/** Starts a device from the first recipe that a search finds. */
export async function startDevice(client: Client, { name = "e2e", search = "Phone 6.1" } = {}): Promise<Instance> {
  const { results } = await client.recipes.list({ query: { search, page_size: 1 } });
  const recipe = results[0];
  if (!recipe) throw new Error(`no recipe is called ${search}`);
  return client.recipes.start({
    params: { uuid: recipe.uuid },
    body: { instance_name: name, rename_on_conflict: true },
  });
}

const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 20;

/** Looks until a condition holds. The other side is a process of its own, so there is nothing to wait on but its answers. */
export async function eventually<Value>(what: string, look: () => Promise<Value | undefined | false>): Promise<Value> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await setTimeout(LOOK_EVERY_MS);
  }
}

export const untilState = (client: Client, uuid: string, state: Instance["state"]): Promise<Instance> =>
  eventually(`${uuid} is ${state}`, async () => {
    const instance = await client.instances.get({ params: { uuid } });
    return instance.state === state && instance;
  });
