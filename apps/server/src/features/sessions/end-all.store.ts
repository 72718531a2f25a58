import type { Database } from "../../database/schema.ts";
import type { Begun } from "./sessions.tables.ts";

/** Ends the sessions of a user, or all but one of them; returns how many. */
export async function endSessionsOf(
  db: Database,
  user: string,
  ended_at: Date,
  { except }: { except?: string } = {},
): Promise<number> {
  const sessions = db
    .updateTable("sessions")
    .set({ ended_at })
    .where("user_uuid", "=", user)
    .where("ended_at", "is", null);
  const { numUpdatedRows } = await (
    except === undefined ? sessions : sessions.where("uuid", "!=", except)
  ).executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Ends the sessions of a user that are not enough any more, by how they began. */
export async function endSessionsUnless(
  trx: Database,
  user: string,
  isEnough: (session: Begun) => boolean,
  ended_at: Date,
): Promise<void> {
  const query = trx.selectFrom("sessions").select(["uuid", "way", "vouched_by"]).where("user_uuid", "=", user);
  const sessions = await query.where("ended_at", "is", null).execute();
  const ending = sessions.filter((session) => !isEnough(session)).map(({ uuid }) => uuid);
  if (ending.length > 0) await trx.updateTable("sessions").set({ ended_at }).where("uuid", "in", ending).execute();
}

/** How a session began, also one that has ended. */
export const findBegun = (db: Database, uuid: string): Promise<Begun | undefined> =>
  db.selectFrom("sessions").select(["way", "vouched_by"]).where("uuid", "=", uuid).executeTakeFirst();

/** Revokes the API tokens of a user; returns how many. */
export async function deleteTokensOf(db: Database, user: string): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom("api_tokens").where("user_uuid", "=", user).executeTakeFirst();
  return Number(numDeletedRows);
}

/** The sessions of a user that have not ended, and the API tokens, the oldest first. */
export async function listCredentialsOf(db: Database, user: string) {
  const sessions = await db
    .selectFrom("sessions")
    .select(["uuid", "created_at"])
    .where("user_uuid", "=", user)
    .where("ended_at", "is", null)
    .orderBy("created_at")
    .execute();
  const tokens = await db
    .selectFrom("api_tokens")
    .select(["uuid", "created_at", "description", "last_access"])
    .where("user_uuid", "=", user)
    .orderBy("created_at")
    .execute();
  return [
    ...sessions.map((row) => ({ kind: "session", ...row, description: null, last_access: null })),
    ...tokens.map((row) => ({ kind: "API token", ...row })),
  ];
}
