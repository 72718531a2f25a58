import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

export async function listOperatorRows(db: Database) {
  const { rows } = await sql<{
    email: string;
    enabled: boolean;
    password: boolean;
    second_factor: boolean;
    last_sign_in: Date | null;
  }>`
    SELECT email, is_enabled AS enabled, password_hash IS NOT NULL AS password,
      EXISTS (SELECT FROM totp_factors WHERE user_uuid = users.uuid)
        OR EXISTS (SELECT FROM passkeys WHERE user_uuid = users.uuid) AS second_factor, last_sign_in_at AS last_sign_in
    FROM users WHERE is_operator AND deleted_at IS NULL ORDER BY email`.execute(db);
  return rows;
}
