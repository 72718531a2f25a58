import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { InvitationTable } from "./invitations.tables.ts";

export type InvitationRow = Selectable<InvitationTable>;

/** Inserts an invitation, or gives the one to the same address a new link, message and inviter; returns its identifier. */
export async function upsertInvitation(trx: Database, row: Insertable<InvitationTable>): Promise<string> {
  const { inviter_uuid, message, key_hash, mail_uuid = null, sent_at, expires_at } = row;
  const { uuid } = await trx
    .insertInto("invitations")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["organization_uuid", "email"])
        .doUpdateSet({ inviter_uuid, message, key_hash, mail_uuid, sent_at, expires_at }),
    )
    .returning("uuid")
    .executeTakeFirstOrThrow();
  return uuid;
}

export async function listInvitations(
  db: Database,
  organization: string,
  { limit, offset }: Window,
): Promise<Rows<InvitationRow>> {
  const of = db.selectFrom("invitations").where("organization_uuid", "=", organization);
  const results = await of
    .selectAll()
    .orderBy("sent_at", "desc")
    .orderBy("email")
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await of.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

/** Those of these invitations that are the organization's. */
export const findInvitations = (
  db: Database,
  organization: string,
  uuids: readonly string[],
): Promise<InvitationRow[]> =>
  db
    .selectFrom("invitations")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .where("uuid", "in", uuids)
    .execute();

/** Which of these addresses, in lower case, are of members of the organization. */
export async function findMembers(db: Database, organization: string, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("users")
    .select("email")
    .where("organization_uuid", "=", organization)
    .where("email", "in", emails)
    .execute();
  return new Set(rows.map(({ email }) => email));
}

/** Returns false if there was no such invitation. */
export async function deleteInvitation(db: Database, organization: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("invitations")
    .where("organization_uuid", "=", organization)
    .where("uuid", "=", uuid)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** An invitation with the names that its mail and its page show. */
export type NamedInvitation = InvitationRow & {
  organization_name: string;
  inviter: { email: string; first_name: string; last_name: string } | null;
};

/** The invitation that a key in a mail is for, expired or not. */
export async function findByKey(db: Database, key_hash: Buffer): Promise<NamedInvitation | undefined> {
  const row = await db
    .selectFrom("invitations")
    .innerJoin("organizations", "organizations.uuid", "invitations.organization_uuid")
    .leftJoin("users", "users.uuid", "invitations.inviter_uuid")
    .selectAll("invitations")
    .select(["organizations.name as organization_name", "users.email as inviter_email", "first_name", "last_name"])
    .where("key_hash", "=", key_hash)
    .executeTakeFirst();
  if (!row) return undefined;
  const { inviter_email: email, first_name, last_name, ...invitation } = row;
  return {
    ...invitation,
    inviter: email === null ? null : { email, first_name: first_name ?? "", last_name: last_name ?? "" },
  };
}

/**
 * Takes an invitation, so that nobody else can: undefined if it is used, cancelled or replaced by now. What the organization asks of
 * its members stays as it is until the transaction ends: so a rule that begins meanwhile sees the new member, or is seen here.
 */
export async function takeInvitation(trx: Database, key_hash: Buffer): Promise<InvitationRow | undefined> {
  const invitation = await trx
    .deleteFrom("invitations")
    .where("key_hash", "=", key_hash)
    .returningAll()
    .executeTakeFirst();
  if (invitation)
    await sql`SELECT FROM organizations WHERE uuid = ${invitation.organization_uuid} FOR SHARE`.execute(trx);
  return invitation;
}

export async function deleteExpiredBefore(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("invitations").where("expires_at", "<", time).execute();
}
