import { client } from "../../session/client.ts";

/** What a mailed invitation is for. */
export const invitation = (token: string) => ({
  queryKey: ["invitation", token],
  queryFn: () => client.invitations.get({ params: { token } }),
  staleTime: Number.POSITIVE_INFINITY,
  // Somebody's address is not cached.
  gcTime: 0,
});
