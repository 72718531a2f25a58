import { client } from "../../session/client.ts";

/** How somebody confirms their sign-ins. */
export const secondFactorsOf = (uuid: string) => ({
  queryKey: ["second-factor", uuid] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.secondFactor.get({ params: { uuid } }, { signal }),
});

/** A key for somebody who has to set up an authenticator app: the same for as long as they look at it. */
export const requiredSetup = (ticket: string) => ({
  queryKey: ["second-factor", "required", ticket] as const,
  queryFn: () => client.secondFactor.beginRequiredTotp({ body: { ticket } }),
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
});
