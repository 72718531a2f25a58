import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { AuditRecordTable } from "./audit.tables.ts";

/** The most that one statement inserts: PostgreSQL takes 65,535 parameters. */
const INSERTED_AT_ONCE = 1_000;
/** The most that one transaction deletes. */
const DELETED_AT_ONCE = 10_000;

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

/** Deletes some of the records from before a time, the only ones that the database lets go; returns how many. */
export const deleteSomeBefore = (db: Database, time: Date): Promise<number> =>
  transaction(db, async (trx) => {
    await sql`SELECT set_config('terrarium.audit_retention', 'on', true)`.execute(trx);
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM audit_records WHERE id IN
        (SELECT id FROM audit_records WHERE at < ${time} ORDER BY at LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    `.execute(trx);
    return Number(numAffectedRows);
  });
