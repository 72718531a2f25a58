import { client } from "../session/client.ts";
import { groupTreeKey } from "./group-tree-key.ts";

/** The groups at the top, each with those below it. The service gives all at once: there are 1,000 at most. */
export const groupTree = {
  queryKey: groupTreeKey,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.groups.list({ query: {} }, { signal }),
};
