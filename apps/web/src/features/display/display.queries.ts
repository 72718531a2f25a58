import "../../en/display.ts";
import { queryOptions } from "@tanstack/react-query";
import { AppError, type Instance } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client, queryClient } from "../../session/client.ts";
import { instanceKeys, type InstancePage } from "../../shared/instance-cache.ts";
import { instanceOf } from "../../shared/instances.queries.ts";
import { stageOf } from "./refusal.ts";

/** One device, at first as a list that was just looked at knows it. It is asked for often while it comes or goes, and now and then in between, for its time left. */
export const instanceQuery = (uuid: string) =>
  queryOptions({
    ...instanceOf(uuid),
    initialData: () =>
      queryClient
        .getQueriesData<InstancePage>({ queryKey: instanceKeys.lists })
        .flatMap(([, page]) => page?.results ?? [])
        .find((device) => device.uuid === uuid),
    initialDataUpdatedAt: 0,
    refetchInterval: ({ state: { data, error } }) => {
      if (error instanceof AppError && error.status < 500) return false;
      return data && stageOf(data) !== "online" ? 1_000 : 5_000;
    },
  });

/** A recipe, if it is still there. */
export const recipeQuery = (uuid: string | undefined) =>
  queryOptions({
    queryKey: ["recipes", "one", uuid],
    queryFn: ({ signal }) => client.recipes.get({ params: { uuid: uuid ?? "" } }, { signal }),
    enabled: uuid !== undefined,
    retry: false,
  });

/** Lets a device run for another hour, whatever its timeouts say. */
export const extendDevice = mutation({
  mutationKey: ["instances", "extend"],
  mutationFn: ({ uuid }: Pick<Instance, "uuid">) => client.instances.extend({ params: { uuid }, body: {} }),
  caches: (cache, device) => cache.setQueryData(instanceKeys.one(device.uuid), device),
  announces: (t) => t("display.timeLeft.extended"),
  refuses: (t) => t("display.timeLeft.failed"),
});
