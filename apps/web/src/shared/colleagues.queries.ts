import { keepPreviousData } from "@tanstack/react-query";
import { client } from "../session/client.ts";

/** How many people a field offers at a time. */
const OFFERED = 5;

/** People of one's organization whose address has this text. */
export const colleaguesLike = (search: string) => ({
  queryKey: ["users", "like", search] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    client.users.list({ query: { search, page_size: OFFERED } }, { signal }),
  enabled: search !== "",
  placeholderData: keepPreviousData,
});
