import { type Insertable, type QueryExecutorProvider, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { Sealer } from "../../platform/sealer.ts";
import type { IdentityTable, OrganizationProviderTable, SsoFlowTable } from "./sso.tables.ts";

export type FlowRow = Selectable<SsoFlowTable>;
export type IdentityRow = Selectable<IdentityTable>;

export async function insertFlow(db: Database, row: Insertable<SsoFlowTable>): Promise<void> {
  await db.insertInto("sso_flows").values(row).execute();
}

/** Takes what was begun with this state, at this provider, by this browser, for this user; undefined if there is none, or it is too late. */
export const takeFlow = (
  db: Database,
  {
    state_hash,
    browser_hash,
    provider,
    user_uuid,
  }: Pick<FlowRow, "state_hash" | "browser_hash" | "provider" | "user_uuid">,
  now: Date,
): Promise<FlowRow | undefined> =>
  db
    .deleteFrom("sso_flows")
    .where("state_hash", "=", state_hash)
    .where("browser_hash", "is not distinct from", browser_hash)
    .where("provider", "=", provider)
    .where("user_uuid", "is not distinct from", user_uuid)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();

export async function deleteFlowsExpiredBy(db: Database, now: Date): Promise<void> {
  await db.deleteFrom("sso_flows").where("expires_at", "<=", now).execute();
}

/** Whose account at a provider this is. Nobody else changes the row until the transaction ends. */
export const lockIdentity = (trx: Database, issuer: string, subject: string): Promise<IdentityRow | undefined> =>
  trx
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .forUpdate()
    .executeTakeFirst();

export async function insertIdentity(trx: Database, row: Insertable<IdentityTable>): Promise<void> {
  await trx.insertInto("identities").values(row).execute();
}

export async function noteIdentityUse(trx: Database, uuid: string, email: string, last_used_at: Date): Promise<void> {
  await trx.updateTable("identities").set({ email, last_used_at }).where("uuid", "=", uuid).execute();
}

export const listIdentities = (db: Database, user: string): Promise<IdentityRow[]> =>
  db.selectFrom("identities").selectAll().where("user_uuid", "=", user).orderBy("created_at").orderBy("uuid").execute();

export async function deleteIdentity(trx: Database, uuid: string): Promise<void> {
  await trx.deleteFrom("identities").where("uuid", "=", uuid).execute();
}

export type OrganizationProviderRow = Selectable<OrganizationProviderTable>;

export const findProviderOf = (
  db: Database,
  by: { domain: string } | { organization_uuid: string },
): Promise<OrganizationProviderRow | undefined> => {
  const query = db.selectFrom("organization_providers").selectAll();
  return (
    "domain" in by ? query.where("domain", "=", by.domain) : query.where("organization_uuid", "=", by.organization_uuid)
  ).executeTakeFirst();
};

export async function upsertProvider(db: Database, row: Insertable<OrganizationProviderTable>): Promise<void> {
  const { organization_uuid: _, ...fields } = row;
  await db
    .insertInto("organization_providers")
    .values(row)
    .onConflict((conflict) => conflict.column("organization_uuid").doUpdateSet(fields))
    .execute();
}

/** Returns false if there was none. */
export async function deleteProvider(db: Database, organization: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("organization_providers")
    .where("organization_uuid", "=", organization)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export const hasProviders = async (db: Database): Promise<boolean> =>
  (await db.selectFrom("organization_providers").select("domain").limit(1).executeTakeFirst()) !== undefined;

/** Seals what migrations find stored as it is. The installation gets a key for it only if there is something. */
export async function sealPlainSecrets(
  db: QueryExecutorProvider,
  sealerOf: (db: QueryExecutorProvider) => Promise<Sealer>,
): Promise<void> {
  const { rows } = await sql<{ organization_uuid: string; client_secret: string }>`
    SELECT organization_uuid, client_secret FROM organization_providers`.execute(db);
  for (const { organization_uuid: owner, client_secret } of rows) {
    const sealed = (await sealerOf(db)).seal(Buffer.from(client_secret), owner);
    await sql`UPDATE organization_providers SET sealed_secret = ${sealed} WHERE organization_uuid = ${owner}`.execute(
      db,
    );
  }
}

/** Which claim names the groups of people; returns false if the organization has no provider. */
export async function setProviderClaim(trx: Database, organization: string, claim: string | null): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("organization_providers")
    .set({ groups_claim: claim })
    .where("organization_uuid", "=", organization)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Which values of the claim stand for which groups, in the order in which they were given. */
export const listClaimGroups = (db: Database, organization: string): Promise<{ value: string; group_uuid: string }[]> =>
  db
    .selectFrom("claim_groups")
    .select(["value", "group_uuid"])
    .where("organization_uuid", "=", organization)
    .orderBy("position")
    .execute();

export async function replaceClaimGroups(
  trx: Database,
  organization_uuid: string,
  groups: readonly { value: string; group_uuid: string }[],
): Promise<void> {
  await trx.deleteFrom("claim_groups").where("organization_uuid", "=", organization_uuid).execute();
  if (groups.length === 0) return;
  const rows = groups.map(({ value, group_uuid }, position) => ({ organization_uuid, value, group_uuid, position }));
  await trx.insertInto("claim_groups").values(rows).execute();
}

/** Whether all of these groups are the organization's. */
export async function hasGroups(trx: Database, organization: string, uuids: readonly string[]): Promise<boolean> {
  if (uuids.length === 0) return true;
  const rows = await trx
    .selectFrom("groups")
    .select("uuid")
    .where("organization_uuid", "=", organization)
    .where("uuid", "in", uuids)
    .execute();
  return rows.length === uuids.length;
}
