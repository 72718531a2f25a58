import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";
import { isGone } from "../../shared/is-gone.ts";
import { signInRulesKey } from "../../shared/organizations.queries.ts";

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
