import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  identities: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'provider', provider, 'label', label, 'issuer', issuer,
      'subject', subject, 'email', email, 'created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM identities WHERE user_uuid = ${uuid}`,
  sso_flows: ({ uuid, email }) => sql`
    SELECT state_hash AS key, json_build_object('provider', provider, 'invited_email', invited_email,
      'expires_at', expires_at) AS row
    FROM sso_flows WHERE user_uuid = ${uuid} OR invited_email = ${email}`,
};

export const endsWithOrganization = ["organization_providers"] as const satisfies OrganizationTable[];
