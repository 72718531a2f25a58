import type { Address } from "@terrarium/contract";
import type { Insertable, Selectable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";

export { hasRunningPlan } from "../billing/subscriptions.store.ts";
export { findManagers, lockOrganization } from "../organizations/organizations.store.ts";

export type CardRow = Selectable<Schema["cards"]>;
export type BillingAddressRow = Selectable<Schema["billing_addresses"]>;

/** The name of an organization at a provider; undefined while it has none. */
export const findCustomer = async (db: Database, organization: string, provider: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom("customers")
      .select("ref")
      .where("organization_uuid", "=", organization)
      .where("provider", "=", provider)
      .executeTakeFirst()
  )?.ref;

export async function insertCustomer(
  db: Database,
  row: { organization_uuid: string; provider: string; ref: string },
): Promise<void> {
  await db
    .insertInto("customers")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** An organization's cards, the oldest first. */
export const listCards = (db: Database, organization: string): Promise<CardRow[]> =>
  db
    .selectFrom("cards")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();

/** Whether any organization has a card of the provider's name. */
export const isCardHeld = async (db: Database, ref: string): Promise<boolean> =>
  (await db.selectFrom("cards").select("uuid").where("ref", "=", ref).executeTakeFirst()) !== undefined;

export const findDefaultCard = (db: Database, organization: string): Promise<CardRow | undefined> =>
  db
    .selectFrom("cards")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .where("is_default", "=", true)
    .executeTakeFirst();

/** Returns false if a card of the provider's name is there already. */
export async function insertCard(db: Database, row: Insertable<Schema["cards"]>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("cards")
    .values(row)
    .onConflict((conflict) => conflict.column("ref").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteCard(db: Database, uuid: string): Promise<void> {
  await db.deleteFrom("cards").where("uuid", "=", uuid).execute();
}

/** Makes one row of an organization the default, in place of another. */
export async function setDefault(
  trx: Database,
  table: "cards" | "billing_addresses",
  { organization, uuid }: { organization: string; uuid: string },
): Promise<void> {
  const rows = trx.updateTable(table).where("organization_uuid", "=", organization);
  // In two steps, as at no time there may be two.
  await rows.set({ is_default: false }).where("is_default", "=", true).where("uuid", "!=", uuid).execute();
  await rows.set({ is_default: true }).where("uuid", "=", uuid).execute();
}

/** Notes how a card is now, wherever it is. */
export async function updateCard(
  db: Database,
  ref: string,
  change: Pick<CardRow, "brand" | "last4" | "expiry_month" | "expiry_year">,
): Promise<void> {
  await db.updateTable("cards").set(change).where("ref", "=", ref).execute();
}

/** An organization's billing addresses, the oldest first. */
export const listAddresses = (db: Database, organization: string): Promise<BillingAddressRow[]> =>
  db
    .selectFrom("billing_addresses")
    .selectAll()
    .where("organization_uuid", "=", organization)
    .orderBy("created_at")
    .orderBy("uuid")
    .execute();

export async function insertAddress(
  db: Database,
  { address, ...row }: Omit<Insertable<Schema["billing_addresses"]>, "address"> & { address: Address },
): Promise<void> {
  await db
    .insertInto("billing_addresses")
    .values({ ...row, address: JSON.stringify(address) })
    .execute();
}

export async function updateAddress(
  db: Database,
  uuid: string,
  { address, name }: { address: Address; name?: string | undefined },
): Promise<void> {
  await db
    .updateTable("billing_addresses")
    .set({ address: JSON.stringify(address), ...(name !== undefined && { name }) })
    .where("uuid", "=", uuid)
    .execute();
}

export async function deleteAddress(db: Database, uuid: string): Promise<void> {
  await db.deleteFrom("billing_addresses").where("uuid", "=", uuid).execute();
}

/** The payment that made a charge, or under whose key it was made; undefined for charges of others. */
export async function findPaymentOfCharge(db: Database, charge: string, key?: string): Promise<string | undefined> {
  const payments = db.selectFrom("payments").select("uuid");
  const own = await payments.where("ref", "=", charge).executeTakeFirst();
  return (own ?? (await payments.where("uuid", "=", key ?? null).executeTakeFirst()))?.uuid;
}

/** Returns false for an event that was noted before. Whoever notes the same waits until the transaction ends. */
export async function noteStripeEvent(trx: Database, ref: string, at: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("stripe_events")
    .values({ ref, at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function deleteStripeEvents(db: Database, before: Date): Promise<void> {
  await db.deleteFrom("stripe_events").where("at", "<", before).execute();
}
