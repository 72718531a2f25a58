import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  groups: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid) AS row
    FROM group_users JOIN groups ON uuid = group_uuid WHERE user_uuid = ${uuid}`,
};

export const endsWithOrganization = ["groups"] as const satisfies OrganizationTable[];
