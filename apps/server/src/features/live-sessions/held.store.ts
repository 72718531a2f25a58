import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  live_sessions_joined: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', live_session_uuid, 'device', instance_uuid,
      'can_control', can_control, 'created_at', created_at) AS row
    FROM live_session_participants WHERE user_uuid = ${uuid}`,
};
