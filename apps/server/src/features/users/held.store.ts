import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  sign_in_places: ({ uuid }) => sql`
    SELECT mark AS key, json_build_object('created_at', created_at, 'seen_at', seen_at) AS row
    FROM sign_in_places WHERE user_uuid = ${uuid}`,
};
