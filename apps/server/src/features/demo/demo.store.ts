import type { Insertable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

/** The password hashes of the accounts with these e-mail addresses, by address. */
export async function findPasswordHashes(db: Database, emails: string[]): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom("users").select(["email", "password_hash"]).where("email", "in", emails).execute();
  return new Map(rows.map(({ email, password_hash }) => [email, password_hash]));
}

/** Returns false if there is no such account. */
export async function setPasswordHash(db: Database, email: string, password_hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set({ password_hash })
    .where("email", "=", email)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the sessions and API tokens of an account. */
export async function endCredentials(db: Database, email: string, ended_at: Date): Promise<void> {
  const user = db.selectFrom("users").select("uuid").where("email", "=", email);
  await db
    .updateTable("sessions")
    .set({ ended_at })
    .where("user_uuid", "in", user)
    .where("ended_at", "is", null)
    .execute();
  await db.deleteFrom("api_tokens").where("user_uuid", "in", user).execute();
}

/** Another server that starts at the same time may have been first. */
export async function insertAccount(db: Database, row: Insertable<Schema["users"]>): Promise<void> {
  await db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns those that were changed. */
export const setEnabled = (db: Database, uuids: string[], is_enabled: boolean) =>
  db
    .updateTable("users")
    .set({ is_enabled })
    .where("uuid", "in", uuids)
    .where("is_enabled", "<>", is_enabled)
    .returning(["uuid", "organization_uuid"])
    .execute();
