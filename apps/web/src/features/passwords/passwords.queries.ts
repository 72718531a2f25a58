import { client } from "../../session/client.ts";

/** Whose password a mailed link is for. */
export const passwordLink = (key: string) => ({
  queryKey: ["password-link", key],
  queryFn: () => client.passwords.checkLink({ params: { key } }),
  staleTime: Number.POSITIVE_INFINITY,
  // The address of somebody is nothing to keep.
  gcTime: 0,
});
