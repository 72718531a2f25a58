import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { ApiTokenTable } from "./api-tokens.tables.ts";

/** Calls of one user take turns from here to the end of the transaction. */
export const lockUser = (db: Database, uuid: string) =>
  db.selectFrom("users").select("uuid").where("uuid", "=", uuid).forUpdate().execute();

export const listApiTokens = (db: Database, user: string) =>
  db.selectFrom("api_tokens").selectAll().where("user_uuid", "=", user).orderBy("created_at", "desc").execute();

export const insertApiToken = (db: Database, row: Insertable<ApiTokenTable>) =>
  db.insertInto("api_tokens").values(row).execute();

export async function deleteApiToken(db: Database, user: string, uuid: string): Promise<boolean> {
  const gone = await db
    .deleteFrom("api_tokens")
    .where("user_uuid", "=", user)
    .where("uuid", "=", uuid)
    .returning("uuid")
    .executeTakeFirst();
  return gone !== undefined;
}
