import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  shares_given: ({ uuid }) => sql`
    SELECT uuid AS key, json_build_object('uuid', uuid, 'recipe', recipe_uuid, 'message', message,
      'created_at', created_at, 'updated_at', updated_at) AS row
    FROM shares WHERE shared_by = ${uuid}`,
  shares_received: ({ uuid }) => sql`
    SELECT shares.uuid AS key, json_build_object('uuid', shares.uuid, 'recipe', shares.recipe_uuid,
      'message', message, 'created_at', created_at) AS row
    FROM share_recipients JOIN shares ON shares.recipe_uuid = share_recipients.recipe_uuid
    WHERE user_uuid = ${uuid}`,
};
