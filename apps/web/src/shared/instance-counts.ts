import type { QueryClient } from "@tanstack/react-query";
import { client } from "../session/client.ts";
import { instanceKeys, type InstancePage } from "./instance-cache.ts";

type ListCall = NonNullable<Parameters<typeof client.instances.list>[0]>;

/**
 * How many devices each list in sight has by now: an event may change that and move no row. A query without data of its own;
 * whoever shows a list observes it, and it is asked when it is invalidated.
 */
export const instanceCounts = {
  queryKey: instanceKeys.counts,
  queryFn: async ({ client: cache }: { client: QueryClient }) => {
    const lists = cache.getQueryCache().findAll({ queryKey: instanceKeys.lists, type: "active" });
    for (const { queryKey } of lists) {
      const query = queryKey[instanceKeys.lists.length] as ListCall["query"];
      const { count } = await client.instances.list({ query: { ...query, page: 1, page_size: 1 } });
      cache.setQueryData<InstancePage>(queryKey, (page) => page && { ...page, count });
    }
    return null;
  },
  initialData: null,
  staleTime: Number.POSITIVE_INFINITY,
};
