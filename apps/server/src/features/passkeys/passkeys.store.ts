import type { Insertable, Selectable, Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { PasskeyTable } from "./passkeys.tables.ts";

export type PasskeyRow = Selectable<PasskeyTable>;

/** The passkeys of a user, the oldest first. */
export const listPasskeys = (db: Database, user: string): Promise<PasskeyRow[]> =>
  db.selectFrom("passkeys").selectAll().where("user_uuid", "=", user).orderBy("created_at").orderBy("uuid").execute();

export async function insertPasskey(trx: Database, row: Insertable<PasskeyTable>): Promise<void> {
  await trx.insertInto("passkeys").values(row).execute();
}

/** Whose passkey this is, of those made for a host name. Nobody else uses it until the transaction ends. */
export const lockPasskey = (trx: Database, credential_id: Buffer, rp_id: string): Promise<PasskeyRow | undefined> =>
  trx
    .selectFrom("passkeys")
    .selectAll()
    .where("credential_id", "=", credential_id)
    .where("rp_id", "=", rp_id)
    .forUpdate()
    .executeTakeFirst();

export async function updatePasskey(trx: Database, uuid: string, fields: Updateable<PasskeyTable>): Promise<void> {
  await trx.updateTable("passkeys").set(fields).where("uuid", "=", uuid).execute();
}

export async function deletePasskey(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("passkeys").where("uuid", "=", uuid).execute();
}

/** Returns false if the challenge was spent before. */
export async function spendChallenge(db: Database, challenge: string, expires_at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("spent_challenges")
    .values({ challenge, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteChallengesExpiredBy(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("spent_challenges").where("expires_at", "<=", time).execute();
}
