import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Neither signed in nor called with an API token since a time; an account that was never used counts from its creation. */
const isUnusedSince = (since: Date) => sql`
  coalesce(last_sign_in_at, users.created_at) <= ${since}
  AND NOT EXISTS (SELECT FROM api_tokens WHERE user_uuid = users.uuid AND last_access > ${since})`;

/** Accounts that nobody has used since a time, and when their end was announced. */
export async function findUnused(
  db: Database,
  { unusedSince, except }: { unusedSince: Date; except: readonly string[] },
): Promise<{ uuid: string; deletion_notice_at: Date | null }[]> {
  const { rows } = await sql<{ uuid: string; deletion_notice_at: Date | null }>`
    SELECT uuid, deletion_notice_at FROM users
    WHERE deleted_at IS NULL AND uuid <> ALL(${except}::uuid[]) AND ${isUnusedSince(unusedSince)}
    ORDER BY uuid`.execute(db);
  return rows;
}

/** Forgets what was announced to those who use their account again. A sign-in does so itself. */
export async function withdrawNotices(db: Database, unusedSince: Date): Promise<void> {
  await sql`
    UPDATE users SET deletion_notice_at = NULL
    WHERE deletion_notice_at IS NOT NULL AND NOT (${isUnusedSince(unusedSince)})`.execute(db);
}

/** Returns false if it was announced already. */
export async function noteNotice(trx: Database, uuid: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("users")
    .set({ deletion_notice_at: now })
    .where("uuid", "=", uuid)
    .where("deletion_notice_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
