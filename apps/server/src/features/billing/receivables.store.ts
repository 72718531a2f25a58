import type { Currency, InvoiceState } from "@terrarium/contract";
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InvoiceLineTable, InvoiceTable, PaymentTable } from "./billing.tables.ts";

export type PaymentRow = Selectable<PaymentTable>;
export type InvoiceRow = Selectable<InvoiceTable> & { status: InvoiceState; credit_note: string | null };

/**
 * Inserts an invoice that is PENDING, with the next number, which it returns. Whoever needs one waits from here to the end of the
 * transaction, so this comes last.
 */
export async function insertInvoice(trx: Database, row: Omit<Insertable<InvoiceTable>, "number">): Promise<number> {
  const { number } = await trx
    .with("next", (db) =>
      db
        .updateTable("invoice_numbers")
        .set({ last: sql`last + 1` })
        .returning("last"),
    )
    .with("invoice", (db) =>
      db
        .insertInto("invoices")
        .values({ ...row, number: db.selectFrom("next").select("last") })
        .returning("number"),
    )
    .with("status", (db) =>
      db
        .insertInto("invoice_statuses")
        .values({ invoice_uuid: row.uuid, revision: 1, status: "PENDING", at: row.created_at }),
    )
    .selectFrom("invoice")
    .select("number")
    .executeTakeFirstOrThrow();
  return number;
}

export async function insertLine(trx: Database, row: Insertable<InvoiceLineTable>): Promise<void> {
  await trx.insertInto("invoice_lines").values(row).execute();
}

/** Appends to an invoice's history. */
export async function appendInvoiceStatus(
  trx: Database,
  invoice: string,
  { status, reason = "", waits = false, at }: { status: InvoiceState; reason?: string; waits?: boolean; at: Date },
): Promise<void> {
  await sql`INSERT INTO invoice_statuses (invoice_uuid, revision, status, reason, waits, at)
    SELECT ${invoice}, coalesce(max(revision), 0) + 1, ${status}, ${reason}, ${waits}, ${at} FROM invoice_statuses
    WHERE invoice_uuid = ${invoice}`.execute(trx);
}

const selectInvoices = (db: Database) =>
  db
    .selectFrom("invoices")
    .selectAll()
    .select([
      sql<InvoiceState>`(SELECT status FROM invoice_statuses WHERE invoice_uuid = invoices.uuid ORDER BY revision DESC LIMIT 1)`.as(
        "status",
      ),
      sql<string | null>`(SELECT uuid FROM invoices AS credit WHERE credit.refunds_uuid = invoices.uuid)`.as(
        "credit_note",
      ),
    ]);

/** An invoice, with where it stands, and the credit note that pays it back. */
export const findInvoice = (db: Database, uuid: string): Promise<InvoiceRow | undefined> =>
  selectInvoices(db).where("uuid", "=", uuid).executeTakeFirst();

/** The invoice that begins a period of a subscription, and was not called off. */
export const findInvoiceOfPeriod = (db: Database, subscription: string, began: Date): Promise<InvoiceRow | undefined> =>
  selectInvoices(db)
    .where("subscription_uuid", "=", subscription)
    .where("period_began_at", "=", began)
    .where("nature", "=", "SUBSCRIPTION")
    .where("called_off_at", "is", null)
    .executeTakeFirst();

/** How the period of a plan that begins then was asked for first, also if that was called off. */
export const firstAsked = (db: Database, subscription: string, began: Date) =>
  db
    .selectFrom("invoices")
    .select(["created_at", "net", "period_ended_at"])
    .where("subscription_uuid", "=", subscription)
    .where("period_began_at", "=", began)
    .where("nature", "=", "SUBSCRIPTION")
    .orderBy("number")
    .executeTakeFirst();

/** A renewal that the customer does not want any more. What comes in for it is paid back. */
export async function callOffInvoice(trx: Database, uuid: string, at: Date): Promise<void> {
  await trx.updateTable("invoices").set({ called_off_at: at }).where("uuid", "=", uuid).execute();
  await appendInvoiceStatus(trx, uuid, { status: "VOID", at });
}

/** What can still be paid. */
export const payable: readonly InvoiceState[] = ["PENDING", "FAILED", "UNCOLLECTIBLE"];

export interface Unpaid {
  uuid: string;
  /** When its last payment failed, or when it is due. */
  overdue_at: Date;
  /** Whether it renews a plan, for a period that has yet to begin. */
  is_renewal: boolean;
}

/** The invoices of an organization that are to be paid. What waits for the next one is not among them. */
export async function listUnpaid(db: Database, organization: string): Promise<Unpaid[]> {
  const { rows } = await sql<Unpaid>`
    SELECT invoices.uuid, CASE last.status WHEN 'PENDING' THEN due_at ELSE last.at END AS overdue_at,
      coalesce(usage_type = 'licensed' AND period_began_at >= period_ends_at AND subscriptions.ended_at IS NULL, false) AS is_renewal
    FROM invoices
      JOIN LATERAL (SELECT status, waits, at FROM invoice_statuses WHERE invoice_uuid = invoices.uuid ORDER BY revision DESC LIMIT 1) AS last ON true
      LEFT JOIN (SELECT uuid, period_ends_at, ended_at FROM subscriptions) AS subscriptions ON subscriptions.uuid = subscription_uuid
    WHERE invoices.organization_uuid = ${organization} AND nature = 'SUBSCRIPTION'
      AND last.status IN ('PENDING', 'FAILED', 'UNCOLLECTIBLE') AND NOT last.waits
    ORDER BY overdue_at`.execute(db);
  return rows;
}

export const findPayment = (trx: Database, uuid: string): Promise<PaymentRow | undefined> =>
  trx.selectFrom("payments").selectAll().where("uuid", "=", uuid).executeTakeFirst();

/** Whether a payment also pays an invoice: not where that which it is for is void, as all that comes in is paid back then. */
const alsoPays = (
  invoice: RawBuilder<unknown>,
) => sql<boolean>`(also_pays @> ARRAY[${invoice}] AND (outcome = 'accepted' OR EXISTS (
  SELECT FROM invoice_statuses AS its WHERE its.invoice_uuid = payments.invoice_uuid AND its.status IN ('PENDING', 'FAILED', 'UNCOLLECTIBLE')
    AND its.revision = (SELECT max(revision) FROM invoice_statuses WHERE invoice_uuid = payments.invoice_uuid))))`;

/** The payment of an invoice, or with another, that was not refused: at most one. */
export const findOpenPayment = (trx: Database, invoice: string): Promise<PaymentRow | undefined> =>
  trx
    .selectFrom("payments")
    .selectAll()
    .where((where) => where.or([where("invoice_uuid", "=", invoice), alsoPays(sql`${invoice}::uuid`)]))
    .where("outcome", "<>", "refused")
    .executeTakeFirst();

export async function insertPayment(trx: Database, row: Insertable<PaymentTable>): Promise<void> {
  await trx.insertInto("payments").values(row).execute();
}

export async function updatePayment(trx: Database, uuid: string, fields: Updateable<PaymentTable>): Promise<void> {
  await trx.updateTable("payments").set(fields).where("uuid", "=", uuid).execute();
}

/** An invoice that waits for the next one, as it is less than can be charged. */
export interface Waiting {
  uuid: string;
  organization_uuid: string;
  number: number;
  amount: number;
}

const waiting = sql`SELECT uuid, organization_uuid, number, amount FROM invoices JOIN invoice_statuses AS last ON last.invoice_uuid = uuid
  WHERE last.waits AND last.revision = (SELECT max(revision) FROM invoice_statuses WHERE invoice_uuid = uuid)
    AND NOT EXISTS (SELECT FROM payments WHERE outcome <> 'refused' AND ${alsoPays(sql`invoices.uuid`)})`;

/** The invoices of an organization that wait for the next one in their currency, and are not being charged with it. */
export async function listWaiting(db: Database, organization: string, currency: Currency): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`${waiting}
    AND organization_uuid = ${organization} AND currency = ${currency} ORDER BY number`.execute(db);
  return rows;
}

/** What is to be paid with an invoice: all in all, which others that waited for it are in that, and whether it waits itself. */
export interface Due {
  amount: number;
  also_pays: Pick<Waiting, "uuid" | "number" | "amount">[];
  waits: boolean;
}

/** What paying an invoice charges. */
export async function dueFor(db: Database, invoice: InvoiceRow): Promise<Due> {
  const all = await listWaiting(db, invoice.organization_uuid, invoice.currency);
  const also_pays = all.filter(({ uuid }) => uuid !== invoice.uuid);
  const amount = also_pays.reduce((sum, one) => sum + one.amount, invoice.amount);
  return { amount, also_pays, waits: also_pays.length < all.length };
}

/** What is due for an invoice, if it is charged: undefined for one that costs nothing, or all in all less than can be charged. */
export const chargedFor = ({ amount }: Pick<InvoiceRow, "amount">, due: Due, minimum: number): Due | undefined =>
  amount > 0 && due.amount >= minimum ? due : undefined;

/** What was charged for an invoice, or will be; undefined where nothing is, or it is paid with another. */
export async function chargeFor(db: Database, invoice: InvoiceRow, minimum: number): Promise<Due | undefined> {
  const payment = await findOpenPayment(db, invoice.uuid);
  if (!payment) {
    const due = payable.includes(invoice.status) ? await dueFor(db, invoice) : undefined;
    return due && !due.waits ? chargedFor(invoice, due, minimum) : undefined;
  }
  if (payment.invoice_uuid !== invoice.uuid || invoice.status === "VOID") return undefined;
  return { amount: payment.amount, also_pays: await paidAlso(db, payment), waits: false };
}

/** The invoices that a payment pays besides. */
export async function paidAlso(db: Database, { also_pays }: Pick<PaymentRow, "also_pays">): Promise<Due["also_pays"]> {
  if (also_pays.length === 0) return [];
  const paid = db.selectFrom("invoices").select(["uuid", "number", "amount"]).where("uuid", "in", also_pays);
  return paid.orderBy("number").execute();
}

/**
 * Those that wait for nothing, as they are due, and there is no plan, nor an invoice that the customer can still pay, and them with it: of
 * all organizations, or one.
 */
export async function listForgotten(db: Database, now: Date, organization: string | null = null): Promise<Waiting[]> {
  const { rows } =
    await sql<Waiting>`${waiting} AND due_at <= ${now} AND ${organization ?? sql`organization_uuid`}::uuid = organization_uuid AND NOT EXISTS (SELECT FROM subscriptions
    WHERE subscriptions.organization_uuid = invoices.organization_uuid AND ended_at IS NULL)
    AND NOT EXISTS (SELECT FROM invoices AS open JOIN organizations ON organizations.uuid = open.organization_uuid
      JOIN LATERAL (SELECT status, waits FROM invoice_statuses WHERE invoice_uuid = open.uuid ORDER BY revision DESC LIMIT 1) AS its ON true
    WHERE open.organization_uuid = invoices.organization_uuid AND open.currency = invoices.currency AND open.nature = 'SUBSCRIPTION'
      AND its.status IN ('PENDING', 'FAILED', 'UNCOLLECTIBLE') AND NOT its.waits)`.execute(db);
  return rows;
}

/** Locks an organization, which may be gone while its invoices are retained. */
export async function lockPayer(trx: Database, organization: string): Promise<void> {
  await trx.selectFrom("organizations").select("uuid").where("uuid", "=", organization).forUpdate().execute();
}

/** Payments that wait for the customer's confirmation, and were not looked at for a tenth of the time that they have waited. */
export async function listUnconfirmed(db: Database, now: Date): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT uuid FROM payments WHERE outcome = 'requires_action'
      AND answered_at + greatest(interval '3 seconds', (answered_at - created_at) / 10) <= ${now}`.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/** An invoice that the operator names by its number or its uuid. */
export async function findInvoiceCalled(db: Database, called: string): Promise<string | undefined> {
  const row = db.selectFrom("invoices").select("uuid");
  const one = /^\d+$/.test(called) ? row.where("number", "=", Number(called)) : row.where("uuid", "=", called);
  return (await one.executeTakeFirst())?.uuid;
}

export interface IssuedInvoice {
  number: number;
  organization: string;
  organization_uuid: string;
  period_began_at: Date;
  period_ended_at: Date;
  net: number;
  tax: number;
  amount: number;
  currency: Currency;
  balance_used: number;
}

/** The number of the last invoice. */
export const lastInvoiceNumber = async (db: Database): Promise<number> =>
  (await db.selectFrom("invoice_numbers").select("last").executeTakeFirstOrThrow()).last;

/** The invoices of a subscription with numbers beyond one. */
export const listIssuedAfter = (db: Database, number: number, subscription: string): Promise<IssuedInvoice[]> =>
  db
    .selectFrom("invoices")
    .innerJoin("organizations", "organizations.uuid", "organization_uuid")
    .select(["number", "organizations.name as organization", "organization_uuid", "period_began_at", "period_ended_at"])
    .select(["net", "tax", "amount", "currency", "balance_used"])
    .where("number", ">", number)
    .where("subscription_uuid", "=", subscription)
    .orderBy("number")
    .execute();

/** What an organization was billed since a time in a currency, without tax, less what was paid back and what is void. Cents. */
export async function sumBilled(
  db: Database,
  organization: string,
  { since, currency }: { since: Date; currency: Currency },
): Promise<number> {
  const { rows } = await sql<{ net: number }>`
    SELECT coalesce(sum(net), 0)::float8 AS net FROM invoices
    WHERE organization_uuid = ${organization} AND created_at >= ${since} AND currency = ${currency} AND NOT EXISTS (
      SELECT FROM invoice_statuses WHERE invoice_uuid = invoices.uuid AND status = 'VOID')`.execute(db);
  return rows[0]?.net ?? 0;
}
