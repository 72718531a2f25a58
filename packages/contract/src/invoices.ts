import { z } from "zod";
import { Cents, Invoice } from "./billing.ts";
import { ByUuid, orderingOf, pageOf, Paging, Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Organization } from "./organizations.ts";
import { routes } from "./routes.ts";

/** What an invoice charges for: a device's run within the period, or the devices of an upfront plan. */
export const InvoiceLine = z.object({
  recipe: z.string().meta({ description: "The recipe of the device, or what the plan is called" }),
  started_at: Time.meta({ description: "Within the period" }),
  ended_at: Time,
  duration: z.int().meta({ description: "Seconds from start to end" }),
  quantity: z.int().meta({ description: "Minutes charged, or devices" }),
  price: Cents.meta({ description: "Of each" }),
  amount: Cents,
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

const InvoiceRef = z.object({ uuid: Uuid, invoice_number: z.string() });

const ChargedTogether = {
  amount: Cents.meta({ description: "What is charged in all, with the invoices that are paid with this one" }),
  also_pays: z.array(InvoiceRef.extend({ amount: Cents })).meta({
    description: "Those that were too small to be charged alone",
  }),
};

export const InvoiceDetail = Invoice.extend({
  net: Cents.meta({ description: "Without tax" }),
  tax: Cents,
  tax_rate: Organization.shape.tax_rate.meta({ description: "Null where no rate is known" }),
  balance_used: z.int().meta({ description: "Free minutes that the period used" }),
  bill_to: z.object({ name: z.string(), company_name: z.string(), vat_number: z.string() }),
  reason: z.string().meta({
    description: "Why it stands as it does, such as why its payment failed, or that it is charged with the next one",
  }),
  charge: z.object(ChargedTogether).nullable().meta({ description: "Null where nothing is to be charged, or was" }),
  refunds: InvoiceRef.nullable().meta({ description: "The invoice that this credit note pays back" }),
  line_count: z.int(),
  lines: z
    .array(InvoiceLine)
    .max(limits.invoiceLinesShown)
    .meta({ description: `The first ${limits.invoiceLinesShown}; the file of its lines has all` }),
});
export type InvoiceDetail = z.infer<typeof InvoiceDetail>;

/** The outcome of an attempt to pay an invoice. */
export const Payment = z.object({
  outcome: z.enum(["accepted", "refused", "requires_action"]),
  ...ChargedTogether,
  reason: z.string().nullable().meta({ description: "Why it was refused, in the words of the payment provider" }),
  requires_action: z
    .object({ client_secret: z.string() })
    .nullable()
    .meta({ description: "With which the browser confirms it at the payment provider" }),
});
export type Payment = z.infer<typeof Payment>;

export const invoicesTag = tag("Billing", "Invoices", "Invoices, credit notes and their files.");

export const invoices = routes({
  list: {
    method: "GET",
    path: "/v1/billing/transactions",
    summary: "The invoices of your organization, or its credit notes, page by page",
    access: "manager",
    scope: "admin",
    query: Paging.extend({
      nature: z.enum(["SUBSCRIPTION", "CREDIT"]).default("SUBSCRIPTION"),
      ordering: orderingOf(["created_at", "amount"], "-created_at"),
    }),
    reply: pageOf(Invoice),
    fails: ["PAGE_TOO_LARGE"],
  },
  get: {
    method: "GET",
    path: "/v1/billing/transactions/:uuid",
    summary: "An invoice or credit note with its lines",
    access: "manager",
    scope: "admin",
    params: ByUuid,
    reply: InvoiceDetail,
    fails: ["INVOICE_NOT_FOUND"],
  },
  lines: {
    method: "GET",
    path: "/v1/billing/transactions/:uuid/lines",
    summary: "Every line of an invoice, as a file for spreadsheets",
    access: "manager",
    scope: "admin",
    params: ByUuid,
    reply: { kind: "bytes", types: ["text/csv"] },
    fails: ["INVOICE_NOT_FOUND", "TOO_MANY_REQUESTS"],
  },
  url: {
    method: "GET",
    path: "/v1/billing/transactions/:uuid/invoice-url",
    summary: `A link to the PDF of an invoice that works for ${limits.invoiceLinkMinutes} minutes, for whoever has it`,
    access: "manager",
    scope: "admin",
    params: ByUuid,
    reply: z.object({ url: z.url(), expires_at: Time }),
    fails: ["INVOICE_NOT_FOUND", "TOO_MANY_REQUESTS"],
  },
  file: {
    method: "GET",
    path: "/v1/billing/invoice-files/:key",
    summary: "The PDF of an invoice. The link is the credential",
    access: "public",
    params: z.object({ key: z.string().max(limits.linkKeyLength) }),
    reply: { kind: "bytes", types: ["application/pdf"] },
    fails: ["INVOICE_NOT_FOUND", "INVOICE_LINK_EXPIRED", "TOO_MANY_REQUESTS"],
  },
  pay: {
    method: "POST",
    path: "/v1/billing/transactions/:uuid/pay",
    summary: "Pay an invoice that is due or whose payment failed, with the default card",
    access: "manager",
    audit: ["invoice.pay"],
    scope: "admin",
    params: ByUuid,
    body: z.object({
      total: z.int().min(0).optional().meta({
        description: "Cents that are charged in all, as the customer has seen it: refused if it is another sum by now",
      }),
    }),
    reply: Payment,
    fails: ["INVOICE_NOT_FOUND", "INVOICE_NOT_PAYABLE", "PAYMENT_METHOD_MISSING", "PRICE_CHANGED", "TOO_MANY_REQUESTS"],
  },
});
