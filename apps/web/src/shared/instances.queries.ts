import "../en/devices.ts";
import type { Instance, instances, SaveAction, Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { each, SomeFailed } from "../components/each.ts";
import { mutation } from "../components/mutation.ts";
import { client } from "../session/client.ts";
import { instanceKeys, withNews } from "./instance-cache.ts";
import { newDevices } from "./new-devices.ts";
import { isGone } from "./is-gone.ts";

type InstanceListQuery = Sent<typeof instances.list>["query"];
type SaveBody = Sent<typeof instances.save>["body"];

/** A page of devices. What was there stays in sight while another page or order is on its way. */
export const instanceList = (query: InstanceListQuery) => ({
  queryKey: [...instanceKeys.lists, query] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const page = await client.instances.list({ query }, { signal });
    // An event may have come before the answer that has the same device.
    for (const { uuid } of page.results) newDevices.forget(uuid);
    return { ...page, results: page.results.map(withNews) };
  },
  placeholderData: keepPreviousData,
});

/** One device, as it is now. */
export const instanceOf = (uuid: string) => ({
  queryKey: instanceKeys.one(uuid),
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    withNews(await client.instances.get({ params: { uuid } }, { signal })),
});

/** What could not be done, but for devices that are gone. */
const failedOf = (error: unknown): readonly unknown[] =>
  error instanceof SomeFailed ? error.failed.filter((one) => !isGone(one.error)) : [error];

/** Stops devices, one call for each. Their rows show it; those that are gone leave the list. */
export const stopDevices = mutation({
  mutationKey: ["instances", "stop"],
  mutationFn: (devices: readonly Pick<Instance, "uuid" | "name">[]) =>
    each(devices, ({ uuid }) => client.instances.stop({ params: { uuid } })),
  invalidates: (refusal) => (refusal ? [instanceKeys.lists] : []),
  announces: (t, _, devices) =>
    t("launchpad.deviceActions.stopSuccess", { count: devices.length, name: devices[0]?.name ?? "" }),
  refuses: (t, error) => {
    const failed = failedOf(error);
    return failed.length === 0 ? t("errors.deviceNotFound") : t("errors.stopDevice", { count: failed.length });
  },
});

/** Takes devices that ended by themselves off the list. */
export const dismissDevices = mutation({
  mutationKey: ["instances", "dismiss"],
  mutationFn: (devices: readonly Instance[]) =>
    each(devices, ({ uuid }) => client.instances.dismiss({ params: { uuid } })),
  invalidates: () => [instanceKeys.lists],
  refuses: (t, error) => {
    const failed = failedOf(error);
    return failed.length === 0 ? undefined : t("errors.dismissDevice", { count: failed.length });
  },
});

interface SaveAsk extends Omit<SaveBody, "action"> {
  device: Instance;
  action: SaveAction;
}

/** Asks for a device to be saved. The dialog says why that was refused; the outcome is announced by `save-news.ts`. */
export const saveDevice = mutation({
  mutationKey: ["instances", "save"],
  mutationFn: ({ device: { uuid }, ...body }: SaveAsk) => client.instances.save({ params: { uuid }, body }),
  invalidates: (refusal) => [
    ["recipes"],
    ...(refusal ? [instanceKeys.lists, instanceKeys.singles] : [instanceKeys.singles]),
  ],
  says: (t, recipe, { device: { name } }) => t("launchpad.deviceActions.saveSuccess", { name, recipe: recipe.name }),
});
