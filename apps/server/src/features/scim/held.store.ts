import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  directory: ({ uuid }) => sql`
    SELECT user_uuid AS key, json_build_object('user_name', user_name, 'external_id', external_id,
      'changed_at', changed_at, 'removed_at', removed_at) AS row
    FROM directory_users WHERE user_uuid = ${uuid}`,
};
