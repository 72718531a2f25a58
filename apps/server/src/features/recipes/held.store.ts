import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  recipes: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'description', description,
      'organization', organization_uuid, 'created_at', created_at, 'updated_at', updated_at) AS row
    FROM recipes WHERE owner_uuid = ${uuid}`,
};

export const endsWithOrganization = ["recipes"] as const satisfies OrganizationTable[];
