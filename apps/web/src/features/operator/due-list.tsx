import type { BillingRun } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { shortDate } from "../../components/dates.ts";
import { declareList } from "../../components/list/list.ts";
import { RowName } from "../../components/list/RowName.tsx";
import { pageOfAll } from "../../components/list/page-of-all.ts";
import { money } from "../../components/money.ts";
import type { operator as words } from "../../en/operator.ts";
import { dueIn, type DueInvoice } from "./operator.queries.ts";

export const daysUntil = { now: 0, week: 7, month: 31 };
type Until = keyof typeof daysUntil;

/** As lists sort and search it. */
type Row = DueInvoice & { name: string };

const periodOf = ({ period_start, period_end }: Row, t: TFunction) =>
  t("operator.billing.from", { from: shortDate(period_start, ""), until: shortDate(period_end, "") });

const moneyColumn = (id: "net" | "tax" | "amount") => ({
  id,
  flexWidth: 2,
  align: "right" as const,
  shown: id === "amount" ? ("always" as const) : ("first" as const),
  cell: (row: Row) => money(row[id], row.currency),
});

interface DueListContext {
  t: TFunction;
  open: (invoice: DueInvoice) => void;
}

/** What a run of billing would issue. */
export const dueList = declareList<Row, DueListContext>({
  key: "operator-due",
  query: (ask, _, { until = "now" }) => ({
    ...dueIn(daysUntil[until as Until]),
    select: ({ invoices }: BillingRun) =>
      pageOfAll(
        invoices.map((invoice): Row => ({ ...invoice, name: invoice.organization.name })),
        ask,
        ({ name }) => name,
      ),
  }),
  idOf: ({ organization, period_start }) => `${organization.uuid} ${period_start}`,
  nameOf: ({ name }) => name,
  columns: [
    {
      id: "organization",
      flexWidth: 5,
      shown: "always",
      sortBy: "name",
      cell: ({ name }) => <RowName name={name} />,
    },
    { id: "period", flexWidth: 4, shown: "first", cell: (row, { t }) => periodOf(row, t) },
    {
      id: "balance_used",
      flexWidth: 2,
      align: "right",
      shown: "first",
      cell: ({ balance_used }) => balance_used.toLocaleString("en"),
    },
    moneyColumn("net"),
    moneyColumn("tax"),
    moneyColumn("amount"),
  ],
  ordering: "name",
  pageSizes: [10, 25, 100],
  pageSize: 25,
  filters: [
    {
      id: "until",
      label: (t) => t("operator.run.until.label"),
      choices: (Object.keys(daysUntil) as Until[]).map((value) => ({
        value,
        label: (t) => t(`operator.run.until.${value}`),
      })),
      isMenu: true,
    },
  ],
  open: (invoice, { open }) => open(invoice),
  card: (row, { t }) => ({
    title: row.name,
    caption: periodOf(row, t),
    facts: [<span key="amount">{money(row.amount, row.currency)}</span>],
  }),
  words: (t) => ({
    label: t("operator.run.table"),
    search: t("operator.run.filter"),
    column: (id) => t(`operator.run.columns.${id as keyof typeof words.operator.run.columns}`),
    columnsLead: t("operator.run.columnsLead"),
    noMatch: ({ search }) => ({
      title: search ? t("operator.run.noMatch.title", { search }) : t("operator.run.noMatch.noneBy"),
      help: t("operator.run.noMatch.help"),
    }),
    failed: { title: t("errors.operatorInvoices"), help: t("operator.failed") },
  }),
});
