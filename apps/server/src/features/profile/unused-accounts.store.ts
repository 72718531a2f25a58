import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** Neither signed in nor called with an API token since a time; an account that was never used counts from its creation. */
const isUnusedSince = (since: Date) => sql`
  coalesce(last_sign_in_at, users.created_at) <= ${since}
  AND NOT EXISTS (SELECT FROM api_tokens WHERE user_uuid = users.uuid AND last_access > ${since})`;

/** Accounts that nobody has used since a time, the mails that announce their end, and when those were sent. */
export async function findUnused(
  db: Database,
  { unusedSince, except }: { unusedSince: Date; except: readonly string[] },
): Promise<Unused[]> {
  const { rows } = await sql<Unused>`
    SELECT uuid, deletion_notice_mail, deletion_notice_at FROM users
    WHERE deleted_at IS NULL AND NOT is_operator AND uuid <> ALL(${except}::uuid[]) AND ${isUnusedSince(unusedSince)}
    ORDER BY uuid`.execute(db);
  return rows;
}

interface Unused {
  uuid: string;
  deletion_notice_mail: string | null;
  deletion_notice_at: Date | null;
}

/** Forgets what was announced to those who use their account again. A sign-in does so itself. */
export async function withdrawNotices(db: Database, unusedSince: Date): Promise<void> {
  await sql`
    UPDATE users SET deletion_notice_mail = NULL, deletion_notice_at = NULL
    WHERE deletion_notice_mail IS NOT NULL AND NOT (${isUnusedSince(unusedSince)})`.execute(db);
}

/** Records which notices were sent, and forgets those that could not be sent for as long as mails are retained: new ones are written. */
export async function noteSentNotices(db: Database): Promise<void> {
  await sql`
    UPDATE users SET deletion_notice_at = sent_at FROM mails
    WHERE deletion_notice_at IS NULL AND mails.uuid = deletion_notice_mail AND sent_at IS NOT NULL`.execute(db);
  await sql`
    UPDATE users SET deletion_notice_mail = NULL
    WHERE deletion_notice_at IS NULL AND deletion_notice_mail IS NOT NULL
      AND NOT EXISTS (SELECT FROM mails WHERE mails.uuid = deletion_notice_mail)`.execute(db);
}

/** Returns false if it was announced already, or the account is in use again. */
export async function noteNotice(
  trx: Database,
  uuid: string,
  { unusedSince, mail }: { unusedSince: Date; mail: string },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE users SET deletion_notice_mail = ${mail}
    WHERE uuid = ${uuid} AND deletion_notice_mail IS NULL AND ${isUnusedSince(unusedSince)}`.execute(trx);
  return numAffectedRows > 0n;
}

/** Whether nobody has used an account since a time. */
export async function isUnused(trx: Database, uuid: string, since: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM users WHERE uuid = ${uuid} AND ${isUnusedSince(since)}`.execute(trx);
  return rows.length > 0;
}
