import { z } from "zod";
import { ByUuid, GivenUuid, Name, Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Proof, proofFails } from "./proof.ts";
import { routes } from "./routes.ts";

/** What a directory of people, such as Okta or Entra, signs in with at the SCIM service. It can do nothing else. */
export const ProvisioningToken = z.object({
  uuid: Uuid,
  prefix: z.string().meta({ description: "How its secret begins" }),
  created_at: Time,
  last_access: Time.nullable(),
});
export type ProvisioningToken = z.infer<typeof ProvisioningToken>;

const Claim = z.object({
  claim: Name.nullable().meta({ description: "Of the ID token or the user info of your own provider; null: none" }),
  groups: z
    .array(z.object({ value: Name, group_uuid: GivenUuid }))
    .max(limits.claimGroups)
    .refine((pairs) => new Set(pairs.map(({ value }) => value)).size === pairs.length, { error: "Must not repeat" })
    .meta({ description: "Whoever has the value joins the group when they sign in" }),
});
export type Claim = z.output<typeof Claim>;

/** How people of an organization come from its own directory. */
export const Provisioning = z.object({
  base_url: z.url().meta({ description: "Of the SCIM service; one for all organizations" }),
  own_provider: z
    .string()
    .nullable()
    .meta({ description: "The domain of the organization's own provider, in which people can be created; null: none" }),
  tokens: z.array(ProvisioningToken),
  claim: z.string().nullable(),
  groups: z.array(z.object({ value: z.string(), group_uuid: Uuid })),
});
export type Provisioning = z.infer<typeof Provisioning>;

export const provisioningTag = tag("Your organization", "Provisioning", "People who come from your own directory.");

export const provisioning = routes({
  get: {
    method: "GET",
    path: "/v1/organizations/:uuid/provisioning",
    summary: "How people of your organization come from its own directory",
    access: "manager",
    scope: "admin",
    params: ByUuid,
    reply: Provisioning,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  createToken: {
    method: "POST",
    path: "/v1/organizations/:uuid/provisioning/tokens",
    summary: "Create a token for a directory that provisions people and groups by SCIM; the secret is shown this once",
    access: "manager",
    audit: ["provisioning_token.create"],
    ownPagesOnly: true,
    params: ByUuid,
    body: Proof,
    status: 201,
    reply: ProvisioningToken.extend({ token: z.string() }),
    fails: [...proofFails, "ORGANIZATION_NOT_FOUND", "TOO_MANY_PROVISIONING_TOKENS"],
  },
  revokeToken: {
    method: "DELETE",
    path: "/v1/organizations/:uuid/provisioning/tokens/:token",
    summary: "Revoke a provisioning token; its directory is refused from the next request on",
    access: "manager",
    audit: ["provisioning_token.revoke"],
    params: ByUuid.extend({ token: GivenUuid }),
    status: 204,
    fails: ["ORGANIZATION_NOT_FOUND", "PROVISIONING_TOKEN_NOT_FOUND"],
  },
  setClaim: {
    method: "PUT",
    path: "/v1/organizations/:uuid/provisioning/claim",
    summary:
      "Which groups people join by a claim of your own provider when they sign in. They leave a group of this list when its value is gone; other groups are left alone",
    access: "manager",
    audit: ["organization.set_groups_claim"],
    params: ByUuid,
    body: Claim,
    reply: Provisioning,
    fails: ["ORGANIZATION_NOT_FOUND", "NO_OWN_PROVIDER", "GROUP_NOT_FOUND"],
  },
});
