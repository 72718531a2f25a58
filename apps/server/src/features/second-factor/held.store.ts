import { sql } from "kysely";
import type { HeldLists } from "../../database/held.ts";

export const held: HeldLists = {
  totp_factors: ({ uuid }) => sql`
    SELECT user_uuid AS key, json_build_object('created_at', created_at, 'last_used_at', last_used_at) AS row
    FROM totp_factors WHERE user_uuid = ${uuid}`,
  recovery_codes: ({ uuid }) => sql`
    SELECT code_hash AS key, json_build_object('created_at', created_at) AS row
    FROM recovery_codes WHERE user_uuid = ${uuid}`,
};
