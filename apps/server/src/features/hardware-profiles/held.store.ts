import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  hardware_profiles: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid,
      'created_at', created_at, 'updated_at', updated_at) AS row
    FROM hardware_profiles WHERE owner_uuid = ${uuid}`,
};

export const endsWithOrganization = ["hardware_profiles"] as const satisfies OrganizationTable[];
