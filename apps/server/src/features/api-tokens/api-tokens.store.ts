import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { ApiTokenTable } from "./api-tokens.tables.ts";

export type ApiTokenRow = Selectable<ApiTokenTable>;

/** Calls of one user take turns from here to the end of the transaction. */
export async function lockUser(db: Database, uuid: string): Promise<void> {
  await db.selectFrom("users").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
}

/** The tokens of a user, the newest first. */
export const listApiTokens = (db: Database, user: string): Promise<ApiTokenRow[]> =>
  db
    .selectFrom("api_tokens")
    .selectAll()
    .where("user_uuid", "=", user)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();

export async function insertApiToken(db: Database, row: Insertable<ApiTokenTable>): Promise<void> {
  await db.insertInto("api_tokens").values(row).execute();
}

export async function deleteApiToken(db: Database, uuid: string): Promise<void> {
  await db.deleteFrom("api_tokens").where("uuid", "=", uuid).execute();
}
