import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  api_tokens: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'description', description, 'created_at', created_at,
      'last_access', last_access, 'prefix', prefix, 'scope', scope, 'expires_at', expires_at) AS row
    FROM api_tokens WHERE user_uuid = ${uuid}`,
};
