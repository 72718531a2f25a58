import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  password_links: ({ uuid }) => sql`
    SELECT key_hash AS key, json_build_object('expires_at', expires_at) AS row
    FROM password_links WHERE user_uuid = ${uuid}`,
};
