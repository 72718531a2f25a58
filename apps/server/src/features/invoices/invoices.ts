import {
  type Answer,
  AppError,
  type Contract,
  type Invoice,
  type InvoiceDetail,
  limits,
  type Payment,
  type Received,
} from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { csvLine, csvMark } from "../../platform/csv.ts";
import { type Rows, windowOf } from "../../platform/http/pages.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import type { ChargeOutcome, PaymentProvider } from "../payments/payment-provider.ts";
import { type InvoiceLinks, linkTimes } from "./invoice-links.ts";
import { invoiceNumber } from "./invoice-number.ts";
import {
  chargeFor,
  countLines,
  findInvoice,
  findLines,
  findStatuses,
  findWithStatus,
  type InvoiceRow,
  listInvoices as listRows,
} from "./invoices.store.ts";
import { chargedDetails, presentCharge, presentInvoices, presentLine } from "./present-invoice.ts";
import type { Printer } from "./print/printer.ts";
import type { Printed, Seller } from "./print/printed.ts";
import type { LinkingDeps } from "../deps.ts";

const HOUR_MS = 60 * 60_000;
/** Of an organization: PDFs and files of lines take the service seconds. */
const invoiceFiles: Limit = { name: "files of invoices", max: 300, windowMs: HOUR_MS };
const invoicePayments: Limit = { name: "payments of invoices", max: 20, windowMs: HOUR_MS };
/** Lines that are held at once. */
const LINES_AT_ONCE = 1_000;

export interface InvoiceDeps extends LinkingDeps {
  links: InvoiceLinks;
  printer: Printer;
  seller: Seller;
  payments: Pick<PaymentProvider, "minimum">;
  /** Charges an invoice once, and those that wait for it; see `collectInvoice`. */
  collect: (uuid: string, total: number | undefined) => Promise<ChargeOutcome>;
}

type Query = Received<Contract["invoices"]["list"]>["query"];

/** Invoices of an organization, or its credit notes. */
export async function listInvoices(
  { db, pagesAt }: Pick<InvoiceDeps, "db" | "pagesAt">,
  organization: string,
  query: Query,
): Promise<Rows<Invoice>> {
  const { count, results } = await listRows(db, { organization, ...query }, windowOf(query));
  return { count, results: await presentInvoices(db, pagesAt, results) };
}

/** An invoice or credit note with the first of its lines. @throws INVOICE_NOT_FOUND */
export async function getInvoice(
  { db, pagesAt, payments }: Pick<InvoiceDeps, "db" | "pagesAt" | "payments">,
  organization: string,
  uuid: string,
): Promise<InvoiceDetail> {
  const row = await invoiceOf(db, organization, uuid);
  const [invoice] = await presentInvoices(db, pagesAt, [row]);
  if (!invoice) throw new AppError("INVOICE_NOT_FOUND");
  const refunded = row.refunds_uuid === null ? undefined : await findInvoice(db, row.refunds_uuid);
  const { name, company_name, vat_number } = row.bill_to;
  const charge = await chargeOf({ db, payments }, uuid);
  return {
    ...invoice,
    net: row.net,
    tax: row.tax,
    tax_rate: row.tax_rate,
    balance_used: row.balance_used,
    bill_to: { name, company_name, vat_number },
    reason: (await findStatuses(db, [uuid])).at(-1)?.reason ?? "",
    charge: charge ? presentCharge(charge) : null,
    refunds: refunded ? { uuid: refunded.uuid, invoice_number: invoiceNumber(refunded.number) } : null,
    line_count: await countLines(db, uuid),
    lines: (await findLines(db, uuid, { after: -1, limit: limits.invoiceLinesShown })).map(presentLine),
  };
}

/** What was charged for an invoice, or will be. */
async function chargeOf({ db, payments }: Pick<InvoiceDeps, "db" | "payments">, uuid: string) {
  const invoice = await findWithStatus(db, uuid);
  return invoice && chargeFor(db, invoice, payments.minimum);
}

/** A link to the PDF of an invoice. @throws INVOICE_NOT_FOUND, TOO_MANY_REQUESTS */
export async function invoiceUrl(
  { db, limiter, links }: Pick<InvoiceDeps, "db" | "limiter" | "links">,
  organization: string,
  uuid: string,
  url: string,
): Promise<{ url: string; expires_at: string }> {
  await invoiceOf(db, organization, uuid);
  await limiter.take(invoiceFiles, organization);
  return links.make(url, uuid, linkTimes.page);
}

/**
 * The PDF that a link leads to.
 * @throws INVOICE_NOT_FOUND, INVOICE_LINK_EXPIRED, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE
 */
export async function invoiceFile(
  { db, links, printer, seller }: Pick<InvoiceDeps, "db" | "links" | "printer" | "seller">,
  key: string,
): Promise<Answer<Contract["invoices"]["file"]>> {
  const link = links.read(key);
  if (link === "expired") throw new AppError("INVOICE_LINK_EXPIRED");
  const row = link && (await findInvoice(db, link.uuid));
  if (!row) throw new AppError("INVOICE_NOT_FOUND");
  const invoice = await printedOf(db, row, seller);
  const content = await printer.print(row.organization_uuid, invoice, () =>
    linesOf(db, row.uuid, invoice.printedLines),
  );
  return { type: "application/pdf", fileName: `${invoice.number}.pdf`, content };
}

/** Every line of an invoice for spreadsheets. @throws INVOICE_NOT_FOUND, TOO_MANY_REQUESTS */
export async function invoiceLines(
  { db, limiter }: Pick<InvoiceDeps, "db" | "limiter">,
  organization: string,
  uuid: string,
): Promise<Answer<Contract["invoices"]["lines"]>> {
  const { number } = await invoiceOf(db, organization, uuid);
  await limiter.take(invoiceFiles, organization);
  return { type: "text/csv", fileName: `${invoiceNumber(number)}.csv`, content: csvOf(linesOf(db, uuid)) };
}

/**
 * Charges an invoice now. The outcome is recorded, a refusal too.
 * @throws INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, PAYMENT_METHOD_MISSING, PRICE_CHANGED, TOO_MANY_REQUESTS
 */
export async function payInvoice(
  { db, audit, limiter, payments, collect }: Pick<InvoiceDeps, "db" | "audit" | "limiter" | "payments" | "collect">,
  organization: string,
  { uuid, total }: { uuid: string; total?: number | undefined },
  by: By,
): Promise<Payment> {
  const { number, nature } = await invoiceOf(db, organization, uuid);
  // What is paid back is nothing to pay.
  if (nature !== "SUBSCRIPTION") throw new AppError("INVOICE_NOT_PAYABLE");
  await limiter.take(invoicePayments, organization);
  const outcome = await collect(uuid, total);
  const charge = (await chargeOf({ db, payments }, uuid)) ?? { amount: 0, also_pays: [] };
  await audit.record(db, by, {
    action: "invoice.pay",
    subject: { kind: "invoice", uuid },
    details: { number: invoiceNumber(number), outcome: outcome.kind, ...chargedDetails(charge) },
  });
  return {
    outcome: outcome.kind,
    ...presentCharge(charge),
    reason: outcome.kind === "refused" ? outcome.reason : null,
    requires_action: outcome.kind === "requires_action" ? { client_secret: outcome.clientSecret } : null,
  };
}

/** Those of others are as if they were not there. */
async function invoiceOf(db: Database, organization: string, uuid: string): Promise<InvoiceRow> {
  const row = await findInvoice(db, uuid);
  if (row?.organization_uuid !== organization) throw new AppError("INVOICE_NOT_FOUND");
  return row;
}

async function printedOf(db: Database, row: InvoiceRow, seller: Seller): Promise<Printed> {
  const refunded = row.refunds_uuid === null ? undefined : await findInvoice(db, row.refunds_uuid);
  const lineCount = await countLines(db, row.uuid);
  return {
    number: invoiceNumber(row.number),
    refunds: refunded ? invoiceNumber(refunded.number) : null,
    seller,
    billTo: row.bill_to,
    issuedAt: row.created_at,
    dueAt: row.due_at,
    periodBeganAt: row.period_began_at,
    periodEndedAt: row.period_ended_at,
    currency: row.currency,
    net: row.net,
    tax: row.tax,
    amount: row.amount,
    taxRate: row.tax_rate,
    usageType: row.usage_type,
    balanceUsed: row.balance_used,
    lineCount,
    printedLines: Math.min(lineCount, limits.invoiceLinesPrinted),
  };
}

/** The lines of an invoice up to some number, some at once. */
async function* linesOf(db: Database, invoice: string, most = Infinity) {
  let after = -1;
  for (let read = 0; read < most;) {
    const lines = await findLines(db, invoice, { after, limit: Math.min(LINES_AT_ONCE, most - read) });
    yield lines;
    read += lines.length;
    after = lines.at(-1)?.position ?? after;
    if (lines.length < LINES_AT_ONCE) return;
  }
}

const columns: Record<string, (line: ReturnType<typeof presentLine>) => string> = {
  Recipe: ({ recipe }) => recipe,
  "Start (UTC)": ({ started_at }) => started_at,
  "End (UTC)": ({ ended_at }) => ended_at,
  "Duration in seconds": ({ duration }) => String(duration),
  Quantity: ({ quantity }) => String(quantity),
  Price: ({ price }) => decimal(price),
  Amount: ({ amount }) => decimal(amount),
};

const decimal = (cents: number): string => (cents / 100).toFixed(2);

async function* csvOf(batches: ReturnType<typeof linesOf>): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder();
  yield bytes.encode(csvMark + csvLine(Object.keys(columns)));
  for await (const lines of batches)
    yield bytes.encode(
      lines.map((line) => csvLine(Object.values(columns).map((cell) => cell(presentLine(line))))).join(""),
    );
}
