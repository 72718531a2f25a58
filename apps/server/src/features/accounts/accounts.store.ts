import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { SignUpLinkTable, SignUpTable } from "./accounts.tables.ts";

export type SignUp = Selectable<SignUpTable>;

export async function insertSignUp(db: Database, row: Insertable<SignUpTable>): Promise<void> {
  await db.insertInto("sign_ups").values(row).execute();
}

/** The last sign-up with an address. */
export const findLastSignUp = (db: Database, email: string): Promise<SignUp | undefined> =>
  db
    .selectFrom("sign_ups")
    .selectAll()
    .where("email", "=", email)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .limit(1)
    .executeTakeFirst();

export const findSignUp = (db: Database, uuid: string): Promise<SignUp | undefined> =>
  db.selectFrom("sign_ups").selectAll().where("uuid", "=", uuid).executeTakeFirst();

export async function insertLink(trx: Database, row: Insertable<SignUpLinkTable>): Promise<void> {
  await trx.insertInto("sign_up_links").values(row).execute();
}

export const findLink = (db: Database, key_hash: Buffer): Promise<Selectable<SignUpLinkTable> | undefined> =>
  db.selectFrom("sign_up_links").selectAll().where("key_hash", "=", key_hash).executeTakeFirst();

export async function deleteSignUpsOf(db: Database, email: string): Promise<void> {
  await db.deleteFrom("sign_ups").where("email", "=", email).execute();
}

/** Forgets sign-ups made before a time with their links, and links that expired before it. */
export async function deleteOlderThan(db: Database, time: Date): Promise<void> {
  const old = db.selectFrom("sign_ups").select("uuid").where("created_at", "<", time);
  await db
    .deleteFrom("sign_up_links")
    .where((link) => link.or([link("expires_at", "<", time), link("sign_up_uuid", "in", old)]))
    .execute();
  await db.deleteFrom("sign_ups").where("created_at", "<", time).execute();
}
