import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { ProvisioningTokenTable } from "./provisioning.tables.ts";

export type TokenRow = Selectable<ProvisioningTokenTable>;

/** The tokens of an organization, the newest first. */
export const listTokens = (db: Database, organization: string): Promise<TokenRow[]> =>
  db
    .selectFrom("provisioning_tokens")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();

export const findToken = (db: Database, token_hash: Buffer): Promise<TokenRow | undefined> =>
  db.selectFrom("provisioning_tokens").selectAll().where("token_hash", "=", token_hash).executeTakeFirst();

export async function insertToken(trx: Database, row: Insertable<ProvisioningTokenTable>): Promise<void> {
  await trx.insertInto("provisioning_tokens").values(row).execute();
}

/** Returns the token that is gone now; undefined if the organization had no such one. */
export const deleteToken = (trx: Database, organization: string, uuid: string): Promise<TokenRow | undefined> =>
  trx
    .deleteFrom("provisioning_tokens")
    .where("organization_uuid", "=", organization)
    .where("uuid", "=", uuid)
    .returningAll()
    .executeTakeFirst();

export async function noteUse(db: Database, uuid: string, last_access: Date): Promise<void> {
  await db.updateTable("provisioning_tokens").set({ last_access }).where("uuid", "=", uuid).execute();
}
