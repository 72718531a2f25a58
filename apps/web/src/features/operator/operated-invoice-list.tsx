import type { Invoice } from "@terrarium/contract";
import { invoiceState } from "@terrarium/contract";
import type { TFunction } from "i18next";
import BadgeCheck from "lucide-react/icons/badge-check";
import Undo from "lucide-react/icons/undo-2";
import { shortDate } from "../../components/dates.ts";
import { declareList } from "../../components/list/list.ts";
import { money } from "../../components/money.ts";
import type { operator as words } from "../../en/operator.ts";
import { canBePaid, InvoiceState } from "../../shared/InvoiceState.tsx";
import { invoicePage } from "./operator.queries.ts";

type Nature = "SUBSCRIPTION" | "CREDIT";

interface InvoiceListContext {
  t: TFunction;
  organization: string;
  ask: (act: "refund" | "paid", invoice: Invoice) => void;
}

const dayOf = ({ created_at }: Invoice, t: TFunction) => (
  <time dateTime={created_at}>{shortDate(created_at, t("common.none"))}</time>
);

/** The invoices of an organization, and what the operator can do with each. */
export const operatedInvoiceList = declareList<Invoice, InvoiceListContext>({
  key: "operator-invoices",
  query: ({ page, page_size, ordering }, { organization }, { nature = "SUBSCRIPTION" }) =>
    invoicePage(organization, { page, page_size, ordering, nature: nature as Nature }),
  idOf: ({ uuid }) => uuid,
  nameOf: ({ invoice_number }) => invoice_number,
  columns: [
    {
      id: "created_at",
      flexWidth: 3,
      shown: "always",
      sortBy: "created_at",
      isNewestFirst: true,
      cell: (invoice, { t }) => dayOf(invoice, t),
    },
    { id: "number", flexWidth: 4, shown: "always", cell: ({ invoice_number }) => invoice_number },
    {
      id: "amount",
      flexWidth: 3,
      align: "right",
      shown: "always",
      sortBy: "amount",
      cell: ({ amount, currency }) => money(amount, currency),
    },
    { id: "state", flexWidth: 5, shown: "always", cell: (invoice) => <InvoiceState invoice={invoice} /> },
  ],
  ordering: "-created_at",
  pageSizes: [10, 25, 100],
  pageSize: 25,
  filters: [
    {
      id: "nature",
      label: (t) => t("operator.billing.nature.label"),
      choices: (["SUBSCRIPTION", "CREDIT"] as const).map((value) => ({
        value,
        label: (t) => t(`operator.billing.nature.${value}`),
      })),
      isMenu: true,
    },
  ],
  card: (invoice, { t }) => ({
    title: money(invoice.amount, invoice.currency),
    caption: invoice.invoice_number,
    mark: <InvoiceState invoice={invoice} />,
    facts: [<span key="date">{dayOf(invoice, t)}</span>],
  }),
  actions: (invoice, { t, ask }) => {
    const { invoice_number: number } = invoice;
    const named = (id: "refund" | "paid") => ({
      id,
      label: t(`operator.billing.actions.${id}`, { number }),
      short: t(`operator.billing.menu.${id}`),
      isMain: true,
      run: () => ask(id, invoice),
    });
    if (canBePaid(invoice)) return [{ ...named("paid"), glyph: BadgeCheck }];
    return invoiceState(invoice) === "ACCEPTED" && invoice.amount > 0 ? [{ ...named("refund"), glyph: Undo }] : [];
  },
  words: (t) => ({
    label: t("operator.billing.table"),
    column: (id) => t(`operator.billing.columns.${id as keyof typeof words.operator.billing.columns}`),
    columnsLead: t("operator.billing.columnsLead"),
    noMatch: () => ({ title: t("operator.billing.noMatch.title"), help: t("operator.billing.noMatch.help") }),
    failed: { title: t("errors.operatorInvoices"), help: t("operator.failed") },
  }),
});
