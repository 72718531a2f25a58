import { client } from "../../session/client.ts";

/** What a mailed invitation is for. */
export const invitation = (token: string) => ({
  queryKey: ["invitation", token],
  queryFn: () => client.invitations.get({ params: { token } }),
  staleTime: Number.POSITIVE_INFINITY,
  // The address of somebody is nothing to keep.
  gcTime: 0,
});
