import { client } from "../session/client.ts";

/** With which accounts of providers somebody can sign in, and whether with a password too. */
export const identitiesOf = (uuid: string) => ({
  queryKey: ["identities", uuid] as const,
  queryFn: () => client.sso.identities({ params: { uuid } }),
});
