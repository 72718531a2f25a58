import "../../en/operator.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { isCancelling, type OperatedBilling, subscriptionState, taxShown } from "@terrarium/contract";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { generatePath, useParams } from "react-router";
import { BackLink } from "../../components/links.tsx";
import { shortDate } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { ListView } from "../../components/list/ListView.tsx";
import { useList } from "../../components/list/use-list.ts";
import { money } from "../../components/money.ts";
import { PageHeader } from "../../components/PageHeader.tsx";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { routeRules } from "../../session/routes.ts";
import { type BillingAsk, BillingDialog } from "./BillingDialog.tsx";
import { Facts } from "./Facts.tsx";
import { operatedInvoiceList } from "./operated-invoice-list.tsx";
import { billingOf, organizationOf } from "./operator.queries.ts";

/** How one organization pays: its plan, its free minutes and its invoices, and what the operator can do about them. */
export default function OrganizationBillingPage() {
  const { t } = useTranslation();
  const { uuid = "" } = useParams();
  const { asked, ask, close } = useDialog<{ what: "act"; act: BillingAsk }>();
  const { data: organization } = useQuery(organizationOf(uuid));
  const { data: billing, error, refetch } = useQuery(billingOf(uuid));
  const list = useList(operatedInvoiceList, {
    t,
    organization: uuid,
    ask: (act, invoice) => ask({ what: "act", act: { act, invoice } }),
  });
  const plan = billing?.plan;
  const hasBegun = plan && subscriptionState(plan) !== "INCOMPLETE";
  return (
    <>
      <BackLink to={generatePath(routeRules.operatedOrganization.path, { uuid })} mb={2}>
        {t("operator.billing.back")}
      </BackLink>
      <PageHeader
        title={
          organization ? t("operator.billing.title", organization) : t("common.titles.operatedOrganizationBilling")
        }
        isLong
      />
      {error && !billing && (
        <ErrorState
          title={t("errors.operatorBilling")}
          help={t("operator.failed")}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {!billing && !error && (
        <Delayed>
          <Skeleton
            variant="rounded"
            height={240}
            component="output"
            aria-label={t("operator.loading")}
            sx={{ mt: 5 }}
          />
        </Delayed>
      )}
      {billing && (
        <>
          <Box sx={{ maxWidth: 640, mt: 5 }}>
            <Facts title={t("operator.billing.facts")} facts={factsOf(billing, t)}>
              <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, mt: 4 }}>
                <Button variant="outlined" onClick={() => ask({ what: "act", act: { act: "minutes" } })}>
                  {t("operator.billing.acts.minutes.act")}
                </Button>
                <Button
                  variant="outlined"
                  onClick={() => ask({ what: "act", act: { act: "tax", percentage: billing.own_tax } })}
                >
                  {t("operator.billing.acts.tax.act")}
                </Button>
                {hasBegun && (
                  <Button variant="outlined" onClick={() => ask({ what: "act", act: { act: "price", plan } })}>
                    {t("operator.billing.acts.price.act")}
                  </Button>
                )}
                {hasBegun && !isCancelling(plan) && (
                  <Button variant="outlined" onClick={() => ask({ what: "act", act: { act: "cancel", plan } })}>
                    {t("operator.billing.acts.cancel.act")}
                  </Button>
                )}
              </Box>
            </Facts>
          </Box>
          <Typography variant="h2" sx={{ mt: 8 }}>
            {t("operator.billing.invoices")}
          </Typography>
          <ListView
            state={list}
            empty={<EmptyState title={t("operator.billing.empty.title")} help={t("operator.billing.empty.help")} />}
          />
        </>
      )}
      <OpenDialog
        asked={asked}
        dialogs={{
          act: ({ act }) => (
            <BillingDialog asked={act} organization={{ uuid, name: organization?.name ?? "" }} onClose={close} />
          ),
        }}
      />
    </>
  );
}

function factsOf(
  { plan, balance, tax_rate, own_tax, is_debtor }: OperatedBilling,
  t: TFunction,
): [string, React.ReactNode][] {
  const facts: [string, React.ReactNode][] = [
    [t("operator.billing.plan"), plan ? t(`operator.billing.plans.${plan.plan}`) : t("operator.billing.noPlan")],
  ];
  if (plan) {
    const { price, currency } = plan.items[0]?.plan ?? { price: 0, currency: balance.currency };
    const state = t(`operator.billing.states.${subscriptionState(plan)}`);
    facts.push(
      [t("operator.billing.state"), isCancelling(plan) ? t("operator.billing.ending", { state }) : state],
      [
        t("operator.billing.period"),
        t("operator.billing.from", {
          from: shortDate(plan.current_period_start, ""),
          until: shortDate(plan.current_period_end, ""),
        }),
      ],
      [
        t("operator.billing.price"),
        t(`operator.billing.priceOf.${plan.plan}`, {
          price: money(price, currency),
          devices: t("operator.billing.devices", { count: plan.quantity }),
        }),
      ],
    );
  }
  return [
    ...facts,
    [t("operator.billing.minutes"), balance.minutes.toLocaleString("en")],
    [t("operator.billing.unbilled"), money(balance.amount, balance.currency)],
    [
      t("operator.billing.tax"),
      own_tax === null
        ? taxShown(tax_rate)
        : own_tax === 0
          ? t("operator.billing.exempt")
          : t("operator.billing.ownTax", { percentage: own_tax }),
    ],
    [t("operator.billing.debtor"), t(`operator.organization.isActive.${is_debtor ? "yes" : "no"}`)],
  ];
}
