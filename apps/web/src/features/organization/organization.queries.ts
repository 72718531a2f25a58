import type { Organization } from "@terrarium/contract";
import { mutation } from "../../components/mutation.ts";
import { client, queryClient } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";
import { organizationOf, signInRulesKey } from "../../shared/organizations.queries.ts";

/** How the members of an organization sign in. */
export const rulesOf = (uuid: string) => ({
  queryKey: [...signInRulesKey, uuid] as const,
  queryFn: () => client.signInRules.get({ params: { uuid } }),
});

/** How people of an organization come from its own directory. */
export const provisioningOf = (uuid: string) => ({
  queryKey: ["provisioning", uuid] as const,
  queryFn: () => client.provisioning.get({ params: { uuid } }),
});

/** Its answer is the only place that ever has the secret. The form says what was refused. */
export const createProvisioningToken = mutation({
  mutationKey: ["provisioning", "create"],
  mutationFn: (sent: Parameters<typeof client.provisioning.createToken>[0]) => client.provisioning.createToken(sent),
  invalidates: () => [["provisioning"]],
});

/** Ends a provisioning token. One that is gone already was what was wanted. */
export const revokeProvisioningToken = mutation({
  mutationKey: ["provisioning", "revoke"],
  mutationFn: (params: { uuid: string; token: string }) => client.provisioning.revokeToken({ params }),
  invalidates: () => [["provisioning"]],
  announces: (t) => t("organization.provisioning.revoke.done"),
  refuses: (t, error) => (isGone(error) ? undefined : t("organization.provisioning.revoke.failed")),
});

type Edit = Parameters<typeof client.organizations.edit>[0]["body"];

/** Changes the organization, and shows what it is then. */
export async function editOrganization(organization: Organization, body: Edit): Promise<void> {
  const changed = await client.organizations.edit({ params: { uuid: organization.uuid }, body });
  queryClient.setQueryData(organizationOf({ organization }).queryKey, changed);
}
