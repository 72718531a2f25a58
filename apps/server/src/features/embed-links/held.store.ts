import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  embed_links: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'device', instance_uuid, 'can_control', can_control,
      'created_at', created_at, 'expires_at', expires_at) AS row
    FROM embed_links WHERE user_uuid = ${uuid}`,
};
