import { client } from "../../session/client.ts";

/** Whose password a mailed link is for. */
export const passwordLink = (key: string) => ({
  queryKey: ["password-link", key],
  queryFn: () => client.passwords.checkLink({ params: { key } }),
  staleTime: Number.POSITIVE_INFINITY,
  // Somebody's address is not cached.
  gcTime: 0,
});
