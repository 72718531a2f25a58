import type { Time, WithDefault } from "../../platform/db/columns.ts";

/** An account at a provider with which a user signs in. */
export interface IdentityTable {
  uuid: string;
  user_uuid: string;
  issuer: string;
  subject: string;
  /** What the provider was called when it was linked. */
  provider: string;
  label: string;
  email: string;
  created_at: Time;
  last_used_at: Time;
}

/** A sign-in that was begun. It ends when it is finished, or after ten minutes. */
export interface SsoFlowTable {
  /** SHA-256 of the state. */
  state_hash: Buffer;
  /** SHA-256 of a secret that only the page that began holds; null for a program without a page. */
  browser_hash: Buffer | null;
  provider: string;
  /** The organization whose own provider it is. */
  organization_uuid: string | null;
  nonce: string;
  verifier: string;
  redirect_uri: string;
  route_to: string | null;
  route_from: string | null;
  /** The address that was invited, if it is for an invitation. */
  invited_email: string | null;
  /** Who links the provider with their account; null if it is to sign in. */
  user_uuid: string | null;
  expires_at: Time;
}

/** The OpenID provider of an organization, for addresses at its domain. */
export interface OrganizationProviderTable {
  organization_uuid: string;
  /** Lower case. */
  domain: string;
  issuer: string;
  client_id: string;
  /** By `clientSecrets`. */
  sealed_secret: Buffer;
  /** The claim that names the groups of people; null for none. */
  groups_claim: WithDefault<string | null>;
}

/** The group that people join who have a value of the claim. */
export interface ClaimGroupTable {
  organization_uuid: string;
  value: string;
  group_uuid: string;
  /** In the order in which managers wrote them. */
  position: number;
}

declare module "../../database/schema.ts" {
  interface Schema {
    identities: IdentityTable;
    sso_flows: SsoFlowTable;
    organization_providers: OrganizationProviderTable;
    claim_groups: ClaimGroupTable;
  }
}
