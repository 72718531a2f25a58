import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  sessions: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'created_at', created_at, 'ended_at', ended_at,
      'user_agent', user_agent, 'address', address, 'last_used_at', last_used_at, 'way', way) AS row
    FROM sessions WHERE user_uuid = ${uuid}`,
};
