import "../../en/administration.ts";
import { keepPreviousData } from "@tanstack/react-query";
import type { Contract, InvoiceDetail, Payment, Sent } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { mutation } from "../../components/mutation.ts";
import { saveAnswer } from "../../components/save-file.ts";
import { client } from "../../session/client.ts";
import { confirmPayment } from "../../shared/payments/confirm-payment.ts";

type Call = { signal: AbortSignal };
const root = "invoices";

/** A page of the organization's invoices. */
export const invoicePage = (query: Sent<Contract["invoices"]["list"]>["query"]) => ({
  queryKey: [root, "page", query] as const,
  queryFn: ({ signal }: Call) => client.invoices.list({ query: { ...query, nature: "SUBSCRIPTION" } }, { signal }),
  placeholderData: keepPreviousData,
});

/** An invoice or credit note with its lines. */
export const invoiceOf = (uuid: string) => ({
  queryKey: [root, uuid] as const,
  queryFn: ({ signal }: Call) => client.invoices.get({ params: { uuid } }, { signal }),
});

interface Named {
  uuid: string;
  invoice_number: string;
}

/** Saves the PDF of an invoice, which a link that lasts for minutes leads to. */
export const downloadInvoice = mutation({
  mutationKey: [root, "download"],
  mutationFn: async ({ uuid, invoice_number }: Named) => {
    const { url } = await client.invoices.url({ params: { uuid } });
    const file = await fetch(url);
    if (!file.ok) throw new Error(`The file was answered with ${file.status}`);
    await saveAnswer(file, `${invoice_number}.pdf`);
  },
  refuses: (t) => t("downloadInvoiceFail"),
});

/** Saves all lines of an invoice for spreadsheets. */
export const exportLines = mutation({
  mutationKey: [root, "lines"],
  mutationFn: async ({ uuid, invoice_number }: Named) =>
    saveAnswer(await client.invoices.lines({ params: { uuid } }), `${invoice_number}.csv`),
  says: (t, name) => t("invoices.csvSaved", { name }),
  refuses: (t) => t("errors.exportLines"),
});

const refusals = {
  PAYMENT_METHOD_MISSING: "errors.payWithout",
  INVOICE_NOT_PAYABLE: "errors.paidMeanwhile",
  PRICE_CHANGED: "errors.chargesMore",
  TOO_MANY_REQUESTS: "errors.tooManyPayments",
} as const;

/** Charges what was shown for an invoice, once the bank has what it asks for. */
async function charge({ uuid, charge: shown }: Pick<InvoiceDetail, "uuid" | "charge">): Promise<Payment> {
  const payment = await client.invoices.pay({ params: { uuid }, body: { total: shown?.amount } });
  if (!payment.requires_action) return payment;
  const { error } = await confirmPayment(payment.requires_action.client_secret);
  // Asked again, the service sees the confirmation and charges nothing more.
  return error === undefined
    ? client.invoices.pay({ params: { uuid }, body: {} })
    : { ...payment, outcome: "refused", reason: error, requires_action: null };
}

/** Pays an invoice. The page shows the outcome. */
export const payInvoice = mutation({
  mutationKey: [root, "pay"],
  mutationFn: charge,
  invalidates: () => [[root], ["organization"]],
  refuses: (t, error) => {
    const code = error instanceof AppError ? error.code : "";
    return t(code in refusals ? refusals[code as keyof typeof refusals] : "errors.payInvoice");
  },
});
