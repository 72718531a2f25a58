import "../../en/invoices.ts";
import { Alert, AlertTitle, Box, Button, Link, Paper, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type InvoiceDetail, type Payment, taxShown } from "@terrarium/contract";
import type { TFunction } from "i18next";
import CreditCard from "lucide-react/icons/credit-card";
import Download from "lucide-react/icons/download";
import FileSpreadsheet from "lucide-react/icons/file-spreadsheet";
import LoaderCircle from "lucide-react/icons/loader-circle";
import { Fragment, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { generatePath, Link as RouterLink, useParams, useSearchParams } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { Delayed } from "../../components/Delayed.tsx";
import { shortDate } from "../../components/dates.ts";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { FactList } from "../../components/FactList.tsx";
import { Icon } from "../../components/Icon.tsx";
import { money } from "../../components/money.ts";
import { routeRules } from "../../session/routes.ts";
import { isGone } from "../../shared/is-gone.ts";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { InvoiceLines } from "./InvoiceLines.tsx";
import { downloadInvoice, exportLines, invoiceOf, payInvoice } from "./invoices.queries.ts";
import { canBePaid, InvoiceState } from "../../shared/InvoiceState.tsx";

/** One invoice or credit note: what it is for, how it stands, and how to pay it. */
export default function InvoicePage() {
  const { t } = useTranslation();
  const { uuid = "" } = useParams();
  const { data: invoice, error, refetch } = useQuery(invoiceOf(uuid));
  return (
    <>
      <AdministrationHeader />
      <Box sx={{ mt: 4 }}>
        <BackLink to={routeRules.invoices.path}>{t("invoices.page.back")}</BackLink>
      </Box>
      {invoice && <Details key={uuid} invoice={invoice} />}
      {!invoice && !error && (
        <Delayed>
          <Skeleton variant="rounded" animation={false} height={240} aria-busy="true" sx={{ mt: 4 }} />
        </Delayed>
      )}
      {!invoice && error && isGone(error) && (
        <EmptyState title={t("invoices.page.gone.title")} help={t("invoices.page.gone.help")} />
      )}
      {!invoice && error && !isGone(error) && (
        <ErrorState
          title={t("errors.fetchInvoice")}
          help={t("invoices.unread")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </>
  );
}

function Details({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation();
  const { mutate: download, isPending: isLoading } = useMutation(downloadInvoice);
  const { mutate: save, isPending: isSaving } = useMutation(exportLines);
  const { invoice_number: number, refunds } = invoice;
  return (
    <>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 3, my: 3 }}>
        <Typography variant="h2">
          {t(refunds ? "invoices.page.creditNote" : "invoices.page.invoice", { number })}
        </Typography>
        <InvoiceState invoice={invoice} />
        <Box sx={{ flex: 1 }} />
        <Button onClick={() => isSaving || save(invoice)} aria-disabled={isSaving || undefined}>
          <Icon glyph={FileSpreadsheet} />
          {t("invoices.page.csv")}
        </Button>
        <Button onClick={() => isLoading || download(invoice)} aria-disabled={isLoading || undefined}>
          <Icon glyph={isLoading ? LoaderCircle : Download} spins={isLoading} />
          {t("invoices.page.download")}
        </Button>
        <Pay invoice={invoice} />
      </Box>
      <Paper variant="outlined" sx={{ p: { xs: 4, sm: 5 }, borderRadius: "10px", maxWidth: 640 }}>
        <FactList>
          {factsOf(invoice, t).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ))}
        </FactList>
      </Paper>
      <InvoiceLines invoice={invoice} />
    </>
  );
}

/** The button, and the outcome. A link that asks to pay leads to it. */
function Pay({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation();
  const [params] = useSearchParams();
  const isAsked = params.has("pay");
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsked) button.current?.focus();
  }, [isAsked]);
  const { mutate: pay, isPending, data: payment } = useMutation(payInvoice);
  return (
    <>
      {canBePaid(invoice) && invoice.charge && (
        <Button
          ref={button}
          variant="contained"
          color="primary"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || pay(invoice)}
          sx={{ width: { xs: "100%", sm: "auto" } }}
        >
          <Icon glyph={isPending ? LoaderCircle : CreditCard} spins={isPending} />
          {isPending
            ? t("invoices.page.paying")
            : t("invoices.page.pay", { amount: money(invoice.charge.amount, invoice.currency) })}
        </Button>
      )}
      {payment && <Outcome payment={payment} number={invoice.invoice_number} />}
    </>
  );
}

const severities = { accepted: "success", refused: "error", requires_action: "warning" } as const;

function Outcome({ payment: { outcome, reason }, number }: { payment: Payment; number: string }) {
  const { t } = useTranslation();
  return (
    <Alert severity={severities[outcome]} sx={{ width: "100%" }}>
      <AlertTitle>{t(`invoices.outcome.${outcome}`, { number })}</AlertTitle>
      {outcome === "refused" && t("invoices.outcome.why", { reason: reason ?? "" })}
      {outcome === "requires_action" && t("invoices.outcome.confirm")}
    </Alert>
  );
}

function factsOf(invoice: InvoiceDetail, t: TFunction): [string, React.ReactNode][] {
  const { currency, bill_to, tax_rate, ref_transaction, refunds, period_start, period_end, charge } = invoice;
  const dateOf = (time: string) => shortDate(time, t("common.none"));
  const taxName =
    tax_rate && tax_rate.percentage > 0
      ? t("invoices.page.facts.taxOf", { rate: taxShown(tax_rate) })
      : t("invoices.page.facts.tax");
  const linkTo = (uuid: string, words: string) => (
    <Link component={RouterLink} to={generatePath(routeRules.invoice.path, { uuid })}>
      {words}
    </Link>
  );
  const facts: ([string, React.ReactNode] | null)[] = [
    [t("invoices.page.facts.billedTo"), bill_to.company_name || bill_to.name],
    [t("invoices.page.facts.date"), dateOf(invoice.created_at)],
    refunds
      ? [t("invoices.page.facts.refunds"), linkTo(refunds.uuid, refunds.invoice_number)]
      : [t("invoices.page.facts.due"), dateOf(invoice.due_at)],
    [
      t("invoices.page.facts.period"),
      t("invoices.page.from", { from: dateOf(period_start), until: dateOf(period_end) }),
    ],
    [t("invoices.page.facts.balanceUsed"), t("invoices.page.minutes", { count: invoice.balance_used })],
    [t("invoices.page.facts.net"), money(invoice.net, currency)],
    [taxName, money(invoice.tax, currency)],
    [t("invoices.page.facts.total"), <strong key="total">{money(invoice.amount, currency)}</strong>],
    ...(charge?.also_pays ?? []).map(({ uuid, invoice_number: number, amount }): [string, React.ReactNode] => [
      t("invoices.page.facts.alsoPays", { number }),
      linkTo(uuid, money(amount, currency)),
    ]),
    charge && charge.also_pays.length > 0
      ? [t("invoices.page.facts.charged"), <strong key="charged">{money(charge.amount, currency)}</strong>]
      : null,
    invoice.reason === "" ? null : [t("invoices.page.facts.reason"), invoice.reason],
    ref_transaction && [
      t("invoices.page.facts.paidBack"),
      linkTo(ref_transaction.uuid, t("invoices.page.creditOf", { amount: money(ref_transaction.amount, currency) })),
    ],
  ];
  return facts.filter((fact) => fact !== null);
}
