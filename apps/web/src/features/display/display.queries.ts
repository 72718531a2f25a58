import { queryOptions } from "@tanstack/react-query";
import { AppError, type Instance, instancePhases } from "@terrarium/contract";
import { client, queryClient } from "../../app/client.ts";

export const isStarting = ({ state }: Pick<Instance, "state">): boolean =>
  (instancePhases.starting as readonly string[]).includes(state);

/** One device. It is asked for often while it starts, and now and then afterwards, for its time left. */
export const instanceQuery = (uuid: string) =>
  queryOptions({
    queryKey: ["instance", uuid],
    queryFn: ({ signal }) => client.instances.get({ params: { uuid } }, { signal }),
    refetchInterval: ({ state: { data, error } }) => {
      if (error instanceof AppError && error.status < 500) return false;
      return data && isStarting(data) ? 1_000 : 5_000;
    },
  });

export const accessToken = async (uuid: string, signal: AbortSignal): Promise<string> =>
  (await client.instances.accessToken({ body: { instance_uuid: uuid } }, { signal })).access_token;

export async function stopInstance(uuid: string): Promise<void> {
  queryClient.setQueryData(instanceQuery(uuid).queryKey, await client.instances.stop({ params: { uuid } }));
}
