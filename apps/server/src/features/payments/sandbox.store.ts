import type { Insertable, Selectable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { SandboxCardTable, SandboxChargeTable, SandboxRefundTable } from "./payments.tables.ts";

export type SandboxChargeRow = Selectable<SandboxChargeTable>;

export async function insertSandboxCard(db: Database, row: SandboxCardTable): Promise<void> {
  await db.insertInto("sandbox_cards").values(row).execute();
}

/** The name of a customer's test card; undefined for one that was removed. */
export const findSandboxCard = async (db: Database, customer: string, ref: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom("sandbox_cards")
      .select("name")
      .where("ref", "=", ref)
      .where("customer", "=", customer)
      .executeTakeFirst()
  )?.name;

export async function deleteSandboxCard(db: Database, ref: string): Promise<void> {
  await db.deleteFrom("sandbox_cards").where("ref", "=", ref).execute();
}

/** Notes a charge unless there is one of that key; returns the one that there is. */
export async function addCharge(db: Database, row: Insertable<SandboxChargeTable>): Promise<SandboxChargeRow> {
  await db
    .insertInto("sandbox_charges")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doNothing())
    .execute();
  return db.selectFrom("sandbox_charges").selectAll().where("key", "=", row.key).executeTakeFirstOrThrow();
}

export const getSandboxCharge = (db: Database, ref: string): Promise<SandboxChargeRow> =>
  db.selectFrom("sandbox_charges").selectAll().where("ref", "=", ref).executeTakeFirstOrThrow();

export const findAskedCharge = (db: Database, customer: string, key: string): Promise<SandboxChargeRow | undefined> =>
  db
    .selectFrom("sandbox_charges")
    .selectAll()
    .where("customer", "=", customer)
    .where("key", "=", key)
    .executeTakeFirst();

/** What is paid back of a charge goes on one after the other. */
export const lockCharge = (trx: Database, ref: string): Promise<SandboxChargeRow> =>
  trx.selectFrom("sandbox_charges").selectAll().where("ref", "=", ref).forUpdate().executeTakeFirstOrThrow();

/** Answers for a charge of a customer that asks for it; returns the charge as it then is, undefined if there is none. */
export async function answerCharge(
  db: Database,
  { customer, clientSecret }: { customer: string; clientSecret: string },
  answer: Pick<SandboxChargeRow, "outcome" | "reason">,
): Promise<SandboxChargeRow | undefined> {
  await db
    .updateTable("sandbox_charges")
    .set(answer)
    .where("client_secret", "=", clientSecret)
    .where("customer", "=", customer)
    .where("outcome", "=", "requires_action")
    .execute();
  return db
    .selectFrom("sandbox_charges")
    .selectAll()
    .where("client_secret", "=", clientSecret)
    .where("customer", "=", customer)
    .executeTakeFirst();
}

export const findRefund = (db: Database, key: string): Promise<SandboxRefundTable | undefined> =>
  db.selectFrom("sandbox_refunds").selectAll().where("key", "=", key).executeTakeFirst();

export async function insertRefund(db: Database, row: SandboxRefundTable): Promise<void> {
  await db.insertInto("sandbox_refunds").values(row).execute();
}

export const sumRefunds = async (db: Database, charge: string): Promise<number> =>
  (
    await db
      .selectFrom("sandbox_refunds")
      .select((select) => select.fn.sum<number | null>("amount").as("sum"))
      .where("charge", "=", charge)
      .executeTakeFirstOrThrow()
  ).sum ?? 0;
