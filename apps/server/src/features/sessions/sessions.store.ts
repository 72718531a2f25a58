import type { Selectable } from "kysely";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import type { UserTable } from "../../platform/db/schema.ts";

/** A user with the name of their organisation, as every signed-in call needs it. */
export type UserRow = Selectable<UserTable> & { organization_name: string | null };

export const userColumns = (db: Database) =>
  db
    .selectFrom("users")
    .leftJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .selectAll("users")
    .select("organizations.name as organization_name");

export async function insertSession(db: Database, user_uuid: string, created_at: Date) {
  const session = { uuid: randomUUID(), user_uuid, created_at };
  await db.insertInto("sessions").values(session).execute();
  return session;
}

/** The user of a session that has not ended. */
export const findSessionUser = (db: Database, session: string): Promise<UserRow | undefined> =>
  userColumns(db)
    .innerJoin("sessions", "sessions.user_uuid", "users.uuid")
    .where("sessions.uuid", "=", session)
    .where("sessions.ended_at", "is", null)
    .executeTakeFirst();

export async function endSession(db: Database, uuid: string, ended_at: Date): Promise<void> {
  await db.updateTable("sessions").set({ ended_at }).where("uuid", "=", uuid).where("ended_at", "is", null).execute();
}

/** The user of an API token; its last access is written at most once a minute. */
export async function findApiTokenUser(db: Database, token_hash: Buffer, now: Date): Promise<UserRow | undefined> {
  const user = await userColumns(db)
    .innerJoin("api_tokens", "api_tokens.user_uuid", "users.uuid")
    .where("api_tokens.token_hash", "=", token_hash)
    .executeTakeFirst();
  if (user) {
    await db
      .updateTable("api_tokens")
      .set({ last_access: now })
      .where("token_hash", "=", token_hash)
      .where((where) =>
        where.or([where("last_access", "is", null), where("last_access", "<", new Date(now.getTime() - 60_000))]),
      )
      .execute();
  }
  return user;
}

/** Tells every process that a session is over, so that its sockets are cut. */
export const tellSessionEnded = (db: Database, session: string) =>
  sql`SELECT pg_notify('session_ended', ${session})`.execute(db);
