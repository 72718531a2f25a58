import { type Insertable, sql } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

/** The password hashes of the accounts with these e-mail addresses, by address. */
export async function findPasswordHashes(db: Database, emails: string[]): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom("users").select(["email", "password_hash"]).where("email", "in", emails).execute();
  return new Map(rows.map(({ email, password_hash }) => [email, password_hash]));
}

/** Returns the identifier of the account; undefined if there is none. */
export async function setPasswordHash(db: Database, email: string, password_hash: string): Promise<string | undefined> {
  const row = await db
    .updateTable("users")
    .set({ password_hash })
    .where("email", "=", email)
    .returning("uuid")
    .executeTakeFirst();
  return row?.uuid;
}

/** Another server that starts at the same time may have been first. An account that somebody has deleted comes back. */
export async function insertAccount(db: Database, row: Insertable<Schema["users"]>): Promise<void> {
  const fresh = { ...row, is_enabled: true, deleted_at: null };
  await db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.column("uuid").doUpdateSet(fresh).where("users.deleted_at", "is not", null))
    .execute();
}

/** Disables accounts with the demo, or enables those that were disabled with it. Returns those that were changed. */
export const setEnabled = (db: Database, uuids: string[], is_enabled: boolean) =>
  db
    .updateTable("users")
    .set({ is_enabled, disabled_by: is_enabled ? null : "demo" })
    .where("uuid", "in", uuids)
    .where("is_enabled", "<>", is_enabled)
    .where((where) => (is_enabled ? where("disabled_by", "=", "demo") : where.lit(true)))
    .returning(["uuid", "organization_uuid"])
    .execute();

/** A recipe made of the parts of the first official one, and with whom it is shared; none where there is no official one. */
export async function insertSharedRecipe(
  db: Database,
  recipe: { uuid: string; name: string; owner: string; organization: string; now: Date },
  share: { uuid: string; message: string; user: string },
): Promise<void> {
  const { uuid, name, owner, organization, now } = recipe;
  await sql`INSERT INTO recipes (uuid, name, status, is_official, owner_uuid, organization_uuid, hardware_profile_uuid, os_image_uuid,
      created_at, updated_at)
    SELECT ${uuid}::uuid, ${name}, 'READY', false, ${owner}::uuid, ${organization}::uuid, hardware_profile_uuid, os_image_uuid,
      ${now}::timestamptz, ${now}::timestamptz
    FROM recipes WHERE is_official ORDER BY position LIMIT 1 ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO shares (uuid, recipe_uuid, message, shared_by, created_at, updated_at)
    SELECT ${share.uuid}::uuid, uuid, ${share.message}, owner_uuid, created_at, updated_at FROM recipes WHERE uuid = ${uuid}
    ON CONFLICT DO NOTHING`.execute(db);
  await sql`INSERT INTO share_recipients (recipe_uuid, user_uuid)
    SELECT recipe_uuid, ${share.user}::uuid FROM shares WHERE uuid = ${share.uuid} ON CONFLICT DO NOTHING`.execute(db);
}
