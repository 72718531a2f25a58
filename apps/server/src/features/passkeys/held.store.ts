import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  passkeys: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'name', name, 'made_for', rp_id, 'is_synced', is_synced,
      'transports', transports, 'created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM passkeys WHERE user_uuid = ${uuid}`,
};
