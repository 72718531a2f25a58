import { sql } from "kysely";
import type { HeldLists, OrganizationTable } from "../../database/held.ts";

export const held: HeldLists = {
  captures: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'kind', kind, 'device', instance_uuid, 'device_name', instance_name,
      'media_type', media_type, 'bytes', bytes, 'duration_ms', duration_ms, 'created_at', created_at) AS row
    FROM captures WHERE user_uuid = ${uuid} AND is_whole`,
};

export const endsWithOrganization = ["captures"] as const satisfies OrganizationTable[];
