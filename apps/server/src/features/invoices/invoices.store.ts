import type { Ordering } from "@terrarium/contract";
import type { Selectable } from "kysely";
import type { Database, Schema } from "../../database/schema.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";

export { chargeFor, type Due, findInvoice as findWithStatus } from "../billing/receivables.store.ts";
export { findManagers } from "../organizations/organizations.store.ts";

export type InvoiceRow = Selectable<Schema["invoices"]>;
export type InvoiceLineRow = Selectable<Schema["invoice_lines"]>;
export type InvoiceStatusRow = Selectable<Schema["invoice_statuses"]>;

export interface InvoiceFilter {
  organization: string;
  nature: InvoiceRow["nature"];
  ordering: readonly Ordering<"created_at" | "amount">[];
}

/** A page of the invoices of an organization. Those of the same time or amount always come in the same order. */
export async function listInvoices(
  db: Database,
  { organization, nature, ordering }: InvoiceFilter,
  { limit, offset }: Window,
): Promise<Rows<InvoiceRow>> {
  const query = db.selectFrom("invoices").where("organization_uuid", "=", organization).where("nature", "=", nature);
  const way = ordering.at(-1)?.descending ? "desc" : "asc";
  const results = await ordering
    .reduce((rows, { field, descending }) => rows.orderBy(field, descending ? "desc" : "asc"), query.selectAll())
    .orderBy("number", way)
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

export const findInvoice = (db: Database, uuid: string): Promise<InvoiceRow | undefined> =>
  db.selectFrom("invoices").selectAll().where("uuid", "=", uuid).executeTakeFirst();

/** The states of some invoices, the oldest first. */
export const findStatuses = (db: Database, uuids: readonly string[]): Promise<InvoiceStatusRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom("invoice_statuses")
        .selectAll()
        .where("invoice_uuid", "in", uuids)
        .orderBy("invoice_uuid")
        .orderBy("revision")
        .execute();

/** The credit notes of some invoices. */
export const findRefunds = (db: Database, uuids: readonly string[]): Promise<InvoiceRow[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : db.selectFrom("invoices").selectAll().where("refunds_uuid", "in", uuids).execute();

export const countLines = async (db: Database, invoice: string): Promise<number> =>
  (
    await db
      .selectFrom("invoice_lines")
      .select((select) => select.fn.countAll<number>().as("count"))
      .where("invoice_uuid", "=", invoice)
      .executeTakeFirstOrThrow()
  ).count;

/** Some lines of an invoice, those after a position. */
export const findLines = (
  db: Database,
  invoice: string,
  { after, limit }: { after: number; limit: number },
): Promise<InvoiceLineRow[]> =>
  db
    .selectFrom("invoice_lines")
    .selectAll()
    .where("invoice_uuid", "=", invoice)
    .where("position", ">", after)
    .orderBy("position")
    .limit(limit)
    .execute();

/** Whom an organization wants notified of its invoices besides its managers. */
export const findBillingContact = async (db: Database, organization: string): Promise<string | null> =>
  (
    await db
      .selectFrom("organizations")
      .select("additional_billing_contact_email as address")
      .where("uuid", "=", organization)
      .executeTakeFirst()
  )?.address ?? null;
