import { client } from "./client.ts";

/** What anyone may know of this installation. It does not change while the page is open. */
export const publicSettings = {
  queryKey: ["settings"],
  queryFn: () => client.settings.get(),
  staleTime: Number.POSITIVE_INFINITY,
};
