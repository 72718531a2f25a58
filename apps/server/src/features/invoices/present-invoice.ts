import type { Invoice, InvoiceLine } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { invoiceNumber } from "./invoice-number.ts";
import { type Due, findRefunds, findStatuses, type InvoiceLineRow, type InvoiceRow } from "./invoices.store.ts";

/** Where managers see an invoice; with `pay`, they are asked to pay it. */
export const invoicePage = (pagesAt: () => string, uuid: string, { pay = false } = {}): string =>
  `${pagesAt()}/administration/invoices/${uuid}${pay ? "?pay" : ""}`;

/** Invoices with their outcome, in their order. The number of queries does not depend on how many they are. */
export async function presentInvoices(
  db: Database,
  pagesAt: () => string,
  rows: readonly InvoiceRow[],
): Promise<Invoice[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const statuses = Map.groupBy(await findStatuses(db, uuids), ({ invoice_uuid }) => invoice_uuid);
  const refunds = new Map((await findRefunds(db, uuids)).map((refund) => [refund.refunds_uuid, refund]));
  return rows.map((row) => {
    const history = statuses.get(row.uuid) ?? [];
    const last = history.at(-1)?.status;
    const refund = refunds.get(row.uuid);
    return {
      uuid: row.uuid,
      created_at: row.created_at.toISOString(),
      amount: row.amount,
      currency: row.currency,
      status_history: history.map(({ status, at }) => ({ status, created_at: at.toISOString() })),
      // How much was paid back, without the sign that it has on the credit note.
      ref_transaction: refund ? { uuid: refund.uuid, amount: -refund.amount } : null,
      invoice_number: invoiceNumber(row.number),
      invoice_ready: true,
      payment_url: last === "FAILED" || last === "UNCOLLECTIBLE" ? invoicePage(pagesAt, row.uuid, { pay: true }) : null,
      plan: { usage_type: row.usage_type },
      period_start: row.period_began_at.toISOString(),
      period_end: row.period_ended_at.toISOString(),
      due_at: row.due_at.toISOString(),
    };
  });
}

/** What a charge pays, in all and besides its own invoice. */
export const presentCharge = ({ amount, also_pays }: Pick<Due, "amount" | "also_pays">) => ({
  amount,
  also_pays: also_pays.map(({ uuid, number, amount: its }) => ({
    uuid,
    invoice_number: invoiceNumber(number),
    amount: its,
  })),
});

/** The same for the audit log. */
export const chargedDetails = ({ amount, also_pays }: Pick<Due, "amount" | "also_pays">) => ({
  amount,
  ...(also_pays.length > 0 && { also_pays: also_pays.map(({ number }) => invoiceNumber(number)).join(", ") }),
});

export const presentLine = (row: InvoiceLineRow): InvoiceLine => ({
  recipe: row.description,
  started_at: row.began_at.toISOString(),
  ended_at: row.ended_at.toISOString(),
  duration: Math.round((row.ended_at.getTime() - row.began_at.getTime()) / 1000),
  quantity: row.quantity,
  price: row.price,
  amount: row.amount,
});
