import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** An account whose password a link is for. */
export interface LinkOwner {
  uuid: string;
  email: string;
  organization_uuid: string | null;
}

/** What a password is recognised by; SSO accounts and people who were invited have none. */
const mark = sql`sha256(convert_to(coalesce(users.password_hash, ''), 'UTF8'))`;

const mayHaveLink = sql`users.is_enabled AND users.is_validated`;

/** Stores a link for whoever has the address and may sign in, and returns them; undefined if there is nobody. */
export async function insertLink(
  trx: Database,
  { key_hash, email, expires_at }: { key_hash: Buffer; email: string; expires_at: Date },
): Promise<LinkOwner | undefined> {
  const { rows } = await sql<LinkOwner>`
    WITH owner AS (SELECT users.*, ${mark} AS mark FROM users WHERE email = ${email} AND ${mayHaveLink}),
      link AS (
        INSERT INTO password_links (key_hash, user_uuid, password_mark, expires_at)
        SELECT ${key_hash}, uuid, mark, ${expires_at} FROM owner)
    SELECT uuid, email, organization_uuid FROM owner`.execute(trx);
  return rows[0];
}

/** Whose password the link with this key is for; undefined if it does not work, or no longer. */
export const findLinkOwner = (db: Database, key_hash: Buffer, now: Date): Promise<LinkOwner | undefined> =>
  ownerOf(db, key_hash, now, sql``);

/** Likewise, and nobody else changes the user until the transaction ends. */
export const lockLinkOwner = (trx: Database, key_hash: Buffer, now: Date): Promise<LinkOwner | undefined> =>
  ownerOf(trx, key_hash, now, sql`FOR UPDATE OF users`);

async function ownerOf(
  db: Database,
  key_hash: Buffer,
  now: Date,
  lock: ReturnType<typeof sql>,
): Promise<LinkOwner | undefined> {
  const { rows } = await sql<LinkOwner>`
    SELECT users.uuid, email, organization_uuid
    FROM password_links JOIN users ON users.uuid = user_uuid
    WHERE key_hash = ${key_hash} AND expires_at > ${now} AND password_mark = ${mark} AND ${mayHaveLink} ${lock}`.execute(
    db,
  );
  return rows[0];
}

export async function deleteLinksExpiredBy(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("password_links").where("expires_at", "<=", now).execute();
}
