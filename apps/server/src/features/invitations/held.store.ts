import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  invitations: ({ email }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'email', email, 'organization', organization_uuid,
      'message', message, 'created_at', created_at, 'sent_at', sent_at, 'expires_at', expires_at) AS row
    FROM invitations WHERE email = ${email}`,
};

export const endsWithOrganization = ["invitations"] as const satisfies OrganizationTable[];
