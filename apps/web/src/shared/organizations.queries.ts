import type { Organization } from "@terrarium/contract";
import { client, queryClient } from "../session/client.ts";

export const organizationKey = ["organization"] as const;
/** Beside the organization, which is read again whenever devices start or stop. */
export const signInRulesKey = ["sign-in-rules"] as const;

/** The organization with its limits and how many devices run. Guests have none: `enabled` is then false. */
export const organizationOf = (user: { organization: { uuid: string } | null }) => ({
  queryKey: [...organizationKey, user.organization?.uuid] as const,
  queryFn: () => client.organizations.get({ params: { uuid: user.organization?.uuid ?? "" } }),
  enabled: user.organization !== null,
});

type Edit = Parameters<typeof client.organizations.edit>[0]["body"];

/** Changes the organization, and shows what it is then. */
export async function editOrganization(organization: Organization, body: Edit): Promise<void> {
  const changed = await client.organizations.edit({ params: { uuid: organization.uuid }, body });
  queryClient.setQueryData(organizationOf({ organization }).queryKey, changed);
}
