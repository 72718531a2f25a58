import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  os_images: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'organization', organization_uuid,
      'saved_size', saved_size, 'created_at', created_at, 'updated_at', updated_at) AS row
    FROM os_images WHERE owner_uuid = ${uuid}`,
};

export const endsWithOrganization = ["os_images"] as const satisfies OrganizationTable[];
