import type { Insertable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

/** Which of these e-mail addresses have an account. */
export async function findEmails(db: Database, emails: string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("users").select("email").where("email", "in", emails).execute();
  return new Set(rows.map(({ email }) => email));
}

/** Another server that starts at the same time may have been first. */
export async function insertAccount(db: Database, row: Insertable<Schema["users"]>): Promise<void> {
  await db
    .insertInto("users")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function setEnabled(db: Database, uuids: string[], is_enabled: boolean): Promise<void> {
  await db
    .updateTable("users")
    .set({ is_enabled })
    .where("uuid", "in", uuids)
    .where("is_enabled", "<>", is_enabled)
    .execute();
}
