import type { Invoice } from "@terrarium/contract";
import type { TFunction } from "i18next";
import CreditCard from "lucide-react/icons/credit-card";
import Download from "lucide-react/icons/download";
import ReceiptText from "lucide-react/icons/receipt-text";
import { shortDate } from "../../components/dates.ts";
import { declareList } from "../../components/list/list.ts";
import { money } from "../../components/money.ts";
import type { invoices as words } from "../../en/invoices.ts";
import { InvoiceState, isToPay } from "../../shared/InvoiceState.tsx";
import { invoicePage } from "./invoices.queries.ts";

interface InvoiceListContext {
  t: TFunction;
  open: (invoice: Invoice) => void;
  download: (invoice: Invoice) => void;
}

const amountOf = ({ amount, currency }: Invoice) => money(amount, currency);

/** The invoices of one's organization. */
export const invoiceList = declareList<Invoice, InvoiceListContext>({
  key: "invoices",
  query: ({ page, page_size, ordering }) => invoicePage({ page, page_size, ordering }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ invoice_number }) => invoice_number,
  columns: [
    {
      id: "created_at",
      flexWidth: 4,
      shown: "always",
      sortBy: "created_at",
      isNewestFirst: true,
      cell: ({ created_at }, { t }) => <time dateTime={created_at}>{shortDate(created_at, t("common.none"))}</time>,
    },
    { id: "invoice_number", flexWidth: 4, shown: "first", cell: ({ invoice_number }) => invoice_number },
    { id: "amount", flexWidth: 3, align: "right", shown: "always", sortBy: "amount", cell: amountOf },
    { id: "status", flexWidth: 5, shown: "always", cell: (invoice) => <InvoiceState invoice={invoice} /> },
  ],
  ordering: "-created_at",
  pageSizes: [15, 30, 60],
  pageSize: 15,
  card: (invoice, { t }) => ({
    title: amountOf(invoice),
    caption: invoice.invoice_number,
    mark: <InvoiceState invoice={invoice} />,
    facts: [<span key="date">{shortDate(invoice.created_at, t("common.none"))}</span>],
  }),
  open: (invoice, { open }) => open(invoice),
  actions: (invoice, { t, open, download }) => {
    const { invoice_number: number, payment_url } = invoice;
    const isPaid = payment_url !== null && isToPay(invoice);
    const named = (id: keyof typeof words.invoices.actions) => ({
      id,
      label: t(`invoices.actions.${id}`, { number }),
      short: t(`invoices.menu.${id}`),
    });
    return [
      ...(isPaid ? [{ ...named("pay"), glyph: CreditCard, href: payment_url, isMain: true }] : []),
      { ...named("details"), glyph: ReceiptText, isMain: !isPaid, run: () => open(invoice) },
      { ...named("download"), glyph: Download, run: () => download(invoice) },
    ];
  },
  words: (t) => ({
    label: t("invoices.table"),
    column: (id) => t(`invoices.columns.${id as keyof typeof words.invoices.columns}`),
    columnsLead: t("invoices.columnsLead"),
    noMatch: () => ({ title: t("invoices.noMatch.title"), help: t("invoices.noMatch.help") }),
    failed: { title: t("getInvoicesFail"), help: t("invoices.unread") },
  }),
});
