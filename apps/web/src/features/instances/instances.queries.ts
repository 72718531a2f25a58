import type { instances, Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { client } from "../../session/client.ts";
import { instanceKeys, withNews } from "../../shared/instance-cache.ts";

type InstanceListQuery = Sent<typeof instances.list>["query"];

/** A page of devices. What was there stays in sight while another page or order is on its way. */
export const instanceList = (query: InstanceListQuery) => ({
  queryKey: [...instanceKeys.lists, query] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const page = await client.instances.list({ query }, { signal });
    return { ...page, results: page.results.map(withNews) };
  },
  placeholderData: keepPreviousData,
});
