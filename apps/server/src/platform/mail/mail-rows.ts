import { type QueryExecutorProvider, sql } from "kysely";
import { type MigrationSteps, statements } from "../db/migrations.ts";
import type { Mail } from "./mail.ts";

/**
 * The mails of the last 30 days. Without an SMTP server they are only stored here. The text of a sent mail is deleted, as it may contain a
 * link that gives access to an account.
 */
export const mailMigrations: MigrationSteps = {
  "0003-mails": statements(
    `CREATE TABLE mails (
      uuid uuid PRIMARY KEY,
      to_name text NOT NULL,
      to_address text NOT NULL,
      subject text NOT NULL,
      text text,
      html text,
      created_at timestamptz NOT NULL,
      sent_at timestamptz
    )`,
    `CREATE INDEX mails_age ON mails (created_at)`,
  ),
  "0127-mails-sent": statements(`CREATE INDEX mails_sent ON mails (sent_at)`),
};

type Db = QueryExecutorProvider;

export async function addMail(db: Db, uuid: string, { to, subject, text, html }: Mail, now: Date): Promise<void> {
  await sql`
    INSERT INTO mails (uuid, to_name, to_address, subject, text, html, created_at)
    VALUES (${uuid}, ${to.name ?? ""}, ${to.address}, ${subject}, ${text}, ${html}, ${now})`.execute(db);
}

/** A mail that was not sent: it waits, or there is no server to send it. */
export interface UnsentMail {
  uuid: string;
  name: string;
  address: string;
  subject: string;
  text: string;
  html: string;
  created_at: Date;
}

/** Undefined when the mail was sent, or does not exist. */
export async function findUnsent(db: Db, uuid: string): Promise<UnsentMail | undefined> {
  const { rows } = await sql<UnsentMail>`
    SELECT uuid, to_name AS name, to_address AS address, subject, text, html, created_at
    FROM mails WHERE uuid = ${uuid} AND sent_at IS NULL`.execute(db);
  return rows[0];
}

/** The mails that were not sent, the newest first, without their content. */
export async function listUnsent(db: Db, max: number): Promise<Omit<UnsentMail, "text" | "html">[]> {
  const { rows } = await sql<UnsentMail>`
    SELECT uuid, to_name AS name, to_address AS address, subject, created_at
    FROM mails WHERE sent_at IS NULL ORDER BY created_at DESC, uuid LIMIT ${max}`.execute(db);
  return rows;
}

/** Since when jobs of this name, created after the last mail was sent, have waited for this many recipients. */
export async function findStuck(db: Db, job: string, recipients: number): Promise<Date | null> {
  const { rows } = await sql<{ since: Date }>`
    SELECT min(jobs.created_at) AS since FROM jobs JOIN mails ON mails.uuid = (payload ->> 'mail')::uuid
    WHERE name = ${job} AND state = 'waiting'
      AND jobs.created_at > coalesce((SELECT max(sent_at) FROM mails), '-infinity')
    GROUP BY to_address ORDER BY since LIMIT 1 OFFSET ${recipients - 1}`.execute(db);
  return rows[0]?.since ?? null;
}

export async function markSent(db: Db, uuid: string, now: Date): Promise<void> {
  await sql`UPDATE mails SET sent_at = ${now}, text = NULL, html = NULL WHERE uuid = ${uuid}`.execute(db);
}

export async function deleteMails(db: Db, before: Date): Promise<void> {
  await sql`DELETE FROM mails WHERE created_at < ${before}`.execute(db);
}
