import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { findRelyingParty } from "../passkeys/relying-party.ts";
import type { TotpFactorTable } from "./second-factor.tables.ts";

/** Each kind of second factor, and the table with those that people have set up. The only list of them. */
const tables = { totp: "totp_factors", passkey: "passkeys" } as const;
export type Factor = keyof typeof tables;
const kinds = Object.keys(tables) as Factor[];

/**
 * A query for the kinds of second factor that somebody has. Passkeys for another host name do not count, or a new address of the service
 * would lock their owners out.
 * @param pagesAt the origin of the service's pages
 */
const factorsOf = (user: RawBuilder<unknown>, pagesAt: string): RawBuilder<{ factor: Factor }> => {
  const usable = { totp: sql`true`, passkey: sql`rp_id = ${findRelyingParty(pagesAt)?.id ?? null}` };
  const queries = kinds.map(
    (factor) => sql`SELECT ${sql.lit(factor)} AS factor WHERE EXISTS (
      SELECT FROM ${sql.table(tables[factor])} WHERE user_uuid = ${user} AND ${usable[factor]})`,
  );
  return sql`${sql.join(queries, sql` UNION ALL `)}`;
};

/** The kinds of second factor that somebody has; none if they need none to sign in. */
export const findFactors = async (db: Database, user: string, pagesAt: string): Promise<Factor[]> =>
  (await factorsOf(sql`${user}`, pagesAt).execute(db)).rows.map(({ factor }) => factor);

/** Whether somebody needs a second factor: as their organization, if they have one, requires it, or always, as an operator. */
export async function isRequiredOf(db: Database, user: string): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .leftJoin("organizations", "organizations.uuid", "users.organization_uuid")
    .select(["is_operator", "requires_second_factor"])
    .where("users.uuid", "=", user)
    .executeTakeFirst();
  return row !== undefined && (row.is_operator || row.requires_second_factor === true);
}

/** Sets whether an organization requires a second factor; returns false if it is so already. */
export async function setRequired(db: Database, organization: string, is_required: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("organizations")
    .set({ requires_second_factor: is_required })
    .where("uuid", "=", organization)
    .where("requires_second_factor", "!=", is_required)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const findTotp = (db: Database, user: string): Promise<Selectable<TotpFactorTable> | undefined> =>
  db.selectFrom("totp_factors").selectAll().where("user_uuid", "=", user).executeTakeFirst();

/** Returns false if there is one already. */
export async function insertTotp(
  db: Database,
  row: Pick<Selectable<TotpFactorTable>, "user_uuid" | "secret" | "last_step" | "created_at">,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto("totp_factors")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Returns false if there is none. */
export async function deleteTotp(db: Database, user: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("totp_factors").where("user_uuid", "=", user).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Notes that the code of a step was used; returns false if it or a later one was used before. */
export async function takeStep(db: Database, user: string, step: number, last_used_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("totp_factors")
    .set({ last_step: step, last_used_at })
    .where("user_uuid", "=", user)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const countRecoveryCodes = async (db: Database, user: string): Promise<number> =>
  (
    await db
      .selectFrom("recovery_codes")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("user_uuid", "=", user)
      .executeTakeFirstOrThrow()
  ).count;

/** Replaces the recovery codes of somebody. */
export async function replaceRecoveryCodes(
  db: Database,
  user_uuid: string,
  hashes: readonly Buffer[],
  created_at: Date,
): Promise<void> {
  await db.deleteFrom("recovery_codes").where("user_uuid", "=", user_uuid).execute();
  if (hashes.length === 0) return;
  const rows = hashes.map((code_hash) => ({ user_uuid, code_hash, created_at }));
  await db.insertInto("recovery_codes").values(rows).execute();
}

/** Uses a recovery code up; returns false if there is no such code. */
export async function takeRecoveryCode(db: Database, user: string, code_hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("recovery_codes")
    .where("user_uuid", "=", user)
    .where("code_hash", "=", code_hash)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/**
 * Removes every second factor of somebody, also passkeys for another host name, and the recovery codes; returns the kinds of those that
 * there were.
 */
export async function deleteFactors(db: Database, user: string): Promise<Factor[]> {
  const factors: Factor[] = [];
  for (const factor of kinds) {
    const { numAffectedRows = 0n } =
      await sql`DELETE FROM ${sql.table(tables[factor])} WHERE user_uuid = ${user}`.execute(db);
    if (numAffectedRows > 0n) factors.push(factor);
  }
  await replaceRecoveryCodes(db, user, [], new Date(0));
  return factors;
}

/**
 * Ends the sessions of those members of an organization who have no second factor, but for those that began at its own provider; returns
 * how many. Their accounts are locked until the transaction ends, so that whoever signs in at this moment waits for what it has changed.
 */
export async function endSessionsOfFactorless(
  trx: Database,
  organization: string,
  { pagesAt, ended_at }: { pagesAt: string; ended_at: Date },
): Promise<number> {
  await sql`SELECT FROM users WHERE organization_uuid = ${organization} ORDER BY uuid FOR NO KEY UPDATE`.execute(trx);
  const { numAffectedRows = 0n } = await sql`
    UPDATE sessions SET ended_at = ${ended_at} FROM users
    WHERE users.uuid = sessions.user_uuid AND users.organization_uuid = ${organization} AND sessions.ended_at IS NULL
      AND sessions.vouched_by IS DISTINCT FROM users.organization_uuid
      AND NOT EXISTS (${factorsOf(sql.ref("users.uuid"), pagesAt)})`.execute(trx);
  return Number(numAffectedRows);
}

/** How many members of an organization, who may sign in, have no second factor although it requires one; 0 if it does not. */
export async function countFactorless(db: Database, organization: string, pagesAt: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM users JOIN organizations ON organizations.uuid = users.organization_uuid
    WHERE organizations.uuid = ${organization} AND requires_second_factor AND is_enabled AND is_validated
      AND NOT EXISTS (${factorsOf(sql.ref("users.uuid"), pagesAt)})`.execute(db);
  return rows[0]?.count ?? 0;
}
