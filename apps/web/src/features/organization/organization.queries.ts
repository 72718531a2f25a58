import type { Organization } from "@terrarium/contract";
import { client, queryClient } from "../../session/client.ts";
import { organizationOf, signInRulesKey } from "../../shared/organizations.queries.ts";

/** How the members of an organization sign in. */
export const rulesOf = (uuid: string) => ({
  queryKey: [...signInRulesKey, uuid] as const,
  queryFn: () => client.signInRules.get({ params: { uuid } }),
});

type Edit = Parameters<typeof client.organizations.edit>[0]["body"];

/** Changes the organization, and shows what it is then. */
export async function editOrganization(organization: Organization, body: Edit): Promise<void> {
  const changed = await client.organizations.edit({ params: { uuid: organization.uuid }, body });
  queryClient.setQueryData(organizationOf({ organization }).queryKey, changed);
}
