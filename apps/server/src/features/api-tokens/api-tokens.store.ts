import type { Insertable, Kysely } from "kysely";
import type { ApiTokenTable, Schema } from "../../platform/db/schema.ts";

/** Calls of one user take turns from here to the end of the transaction. */
export const lockUser = (db: Kysely<Schema>, uuid: string) =>
  db.selectFrom("users").select("uuid").where("uuid", "=", uuid).forUpdate().execute();

export const listApiTokens = (db: Kysely<Schema>, user: string) =>
  db.selectFrom("api_tokens").selectAll().where("user_uuid", "=", user).orderBy("created_at", "desc").execute();

export const insertApiToken = (db: Kysely<Schema>, row: Insertable<ApiTokenTable>) =>
  db.insertInto("api_tokens").values(row).execute();

export async function deleteApiToken(db: Kysely<Schema>, user: string, uuid: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("api_tokens")
    .where("user_uuid", "=", user)
    .where("uuid", "=", uuid)
    .returning("uuid")
    .executeTakeFirst();
  return gone !== undefined;
}
