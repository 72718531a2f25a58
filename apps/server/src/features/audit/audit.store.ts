import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { AuditRecordTable } from "./audit.tables.ts";

/** The most that one statement inserts: PostgreSQL takes 65,535 parameters. */
const INSERTED_AT_ONCE = 1_000;

export async function insertRecords(db: Database, rows: readonly Insertable<AuditRecordTable>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE)
    await db
      .insertInto("audit_records")
      .values(rows.slice(from, from + INSERTED_AT_ONCE))
      .execute();
}

type Person = { uuid: string; organization_uuid: string | null };

export const findUserByName = (db: Database, email: string): Promise<Person | undefined> =>
  db.selectFrom("users").select(["uuid", "organization_uuid"]).where("email", "=", email).executeTakeFirst();

/** The user who once opened a session. */
export const findOwnerOfSession = (db: Database, session: string): Promise<Person | undefined> =>
  db
    .selectFrom("sessions")
    .innerJoin("users", "users.uuid", "sessions.user_uuid")
    .select(["users.uuid", "users.organization_uuid"])
    .where("sessions.uuid", "=", session)
    .executeTakeFirst();

export interface ListedRecord extends Selectable<AuditRecordTable> {
  /** Null if there was none, or the user was deleted. */
  actor_email: string | null;
  /** Likewise, of a subject that is a user. */
  subject_email: string | null;
}

/** The latest records, the oldest of them first; with `user`, only those by or about this user. */
export async function listLatest(db: Database, limit: number, user?: string): Promise<ListedRecord[]> {
  let query = db
    .selectFrom("audit_records as record")
    .leftJoin("users as actor", "actor.uuid", "record.actor_uuid")
    .leftJoin("users as subject", "subject.uuid", "record.subject_uuid")
    .selectAll("record")
    .select(["actor.email as actor_email", "subject.email as subject_email"]);
  if (user !== undefined)
    query = query.where((where) =>
      where.or([where("record.actor_uuid", "=", user), where("record.subject_uuid", "=", user)]),
    );
  return (await query.orderBy("record.id", "desc").limit(limit).execute()).toReversed();
}
