import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import type { UserRow } from "../users/user-row.ts";
import { usersWithOrganization } from "../users/users.store.ts";

export async function insertSession(db: Database, user_uuid: string, created_at: Date) {
  const session = { uuid: randomUUID(), user_uuid, created_at };
  await db.insertInto("sessions").values(session).execute();
  return session;
}

/** The user of a session that has not ended. */
export const findSessionUser = (db: Database, session: string): Promise<UserRow | undefined> =>
  usersWithOrganization(db)
    .innerJoin("sessions", "sessions.user_uuid", "users.uuid")
    .where("sessions.uuid", "=", session)
    .where("sessions.ended_at", "is", null)
    .executeTakeFirst();

export async function endSession(db: Database, uuid: string, ended_at: Date): Promise<void> {
  await db.updateTable("sessions").set({ ended_at }).where("uuid", "=", uuid).where("ended_at", "is", null).execute();
}

/** The user of an API token; its last access is written at most once a minute. */
export async function findApiTokenUser(
  db: Database,
  token_hash: Buffer,
  now: Date,
): Promise<(UserRow & { api_token_uuid: string }) | undefined> {
  const user = await usersWithOrganization(db)
    .innerJoin("api_tokens", "api_tokens.user_uuid", "users.uuid")
    .select("api_tokens.uuid as api_token_uuid")
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

/** Those of these sessions and API tokens that are good, of people who are enabled. */
export async function findLiveCredentials(db: Database, credentials: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT held.uuid FROM (
      SELECT uuid, user_uuid FROM sessions WHERE uuid = ANY(${credentials}::uuid[]) AND ended_at IS NULL
      UNION ALL
      SELECT uuid, user_uuid FROM api_tokens WHERE uuid = ANY(${credentials}::uuid[])
    ) AS held JOIN users ON users.uuid = held.user_uuid AND users.is_enabled`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

/** Ends the sessions that began until then; gives their identifiers. */
export async function endSessionsBegunBy(db: Database, begun: Date, ended_at: Date): Promise<string[]> {
  const rows = await db
    .updateTable("sessions")
    .set({ ended_at })
    .where("ended_at", "is", null)
    .where("created_at", "<=", begun)
    .returning("uuid")
    .execute();
  return rows.map(({ uuid }) => uuid);
}

export async function deleteSessionsEndedBefore(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("sessions").where("ended_at", "<", time).execute();
}
