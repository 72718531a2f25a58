import { client } from "../session/client.ts";

export const organizationKey = ["organization"] as const;
/** Beside the organization, which is read again whenever devices start or stop. */
export const signInRulesKey = ["sign-in-rules"] as const;

/** The organization with its limits and how many devices run. Guests have none: `enabled` is then false. */
export const organizationOf = (user: { organization: { uuid: string } | null }) => ({
  queryKey: [...organizationKey, user.organization?.uuid] as const,
  queryFn: () => client.organizations.get({ params: { uuid: user.organization?.uuid ?? "" } }),
  enabled: user.organization !== null,
});
