import "../../en/administration.ts";
import "../../en/plans.ts";
import { Box, Button, Skeleton, Typography } from "@mui/material";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Organization } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { useTranslation } from "react-i18next";
import { Link as RouterLink } from "react-router";
import { AppDialog } from "../../components/AppDialog.tsx";
import { longDate } from "../../components/dates.ts";
import { Delayed } from "../../components/Delayed.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { snack } from "../../components/snack-queue.ts";
import { OpenDialog, useDialog } from "../../components/use-dialog.tsx";
import { useInPlace } from "../../components/use-in-place.ts";
import { publicSettings } from "../../session/settings.ts";
import { useMe } from "../../session/user.ts";
import { organizationOf } from "../../shared/organizations.queries.ts";
import { TrialDialog } from "../../shared/trial/TrialDialog.tsx";
import { AdministrationHeader } from "../administration/AdministrationHeader.tsx";
import { BillingInformation } from "./BillingInformation.tsx";
import {
  balance,
  lastInvoice,
  LOOK_SOON_MS,
  NotConfirmed,
  type PlanChoice,
  runningPlan,
  startPlan,
} from "./billing.queries.ts";
import { CurrentPlan } from "./CurrentPlan.tsx";
import { EndPaygDialog, RenewalDialog } from "./EndDialogs.tsx";
import { PlanCards } from "./PlanCards.tsx";
import { PaymentMethods } from "./PaymentMethods.tsx";
import { paymentMethods } from "./payments.queries.ts";
import { isStarting, type Standing, standingOf } from "./plan-standing.ts";
import { PremiumDialog } from "./PremiumDialog.tsx";
import { StartPaygDialog, StartUpfrontDialog } from "./StartDialogs.tsx";
import { invoicesPath, Warnings } from "./Warnings.tsx";

/** What an organization pays by: its plan, the plans that there are, how it pays, and whom invoices are made out to. */
export default function BillingPage() {
  const { t } = useTranslation();
  const me = useMe();
  // Others may have changed it since it was read.
  const organization = useQuery({
    ...organizationOf(me),
    refetchOnMount: "always",
    // It says something about a plan as well.
    refetchInterval: ({ state: { data } }) => isStarting(data?.license.subscription) && LOOK_SOON_MS,
  });
  const plan = useQuery({ ...runningPlan, refetchOnMount: "always" });
  // Prices may have changed since.
  const settings = useQuery({ ...publicSettings, refetchOnMount: "always" });
  const invoice = useQuery({ ...lastInvoice, refetchOnMount: "always" });
  const parts = [
    { part: organization, title: t("errors.fetchOrganizationFail") },
    { part: plan, title: t("errors.fetchSubscription") },
    { part: settings, title: t("errors.fetchSettings") },
  ];
  const isRead = organization.data && plan.data !== undefined && settings.data;
  const methods = useQuery(paymentMethods);
  const hasPlans = useInPlace([organization, plan, settings]);
  const hasMethods = useInPlace([organization, plan, settings, methods]);
  return (
    <>
      <AdministrationHeader />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 10, mt: 5, maxWidth: 960 }}>
        {isRead && (
          <Plans
            organization={organization.data}
            standing={standingOf(
              organization.data,
              plan.data ?? organization.data.license.subscription,
              invoice.data,
              Date.parse(settings.data.time),
            )}
          />
        )}
        {parts.map(
          ({ part: { error, data, refetch }, title }) =>
            error &&
            data === undefined && (
              <ErrorState
                key={title}
                title={title}
                help={t("plans.unread")}
                error={error}
                onRetry={() => void refetch()}
              />
            ),
        )}
        {!isRead && !parts.some(({ part: { error } }) => error) && (
          <Delayed>
            <Skeleton
              variant="rounded"
              animation={false}
              height={280}
              component="output"
              aria-label={t("plans.loading")}
            />
          </Delayed>
        )}
        {hasPlans && <PaymentMethods />}
        {hasMethods && <BillingInformation />}
      </Box>
    </>
  );
}

type Asked = {
  what: "payg" | "unlimited" | "premium" | "trial" | "cancel" | "restore" | "unpaid" | "cancelFirst";
};

function Plans({ organization, standing }: { organization: Organization; standing: Standing }) {
  const { t } = useTranslation();
  const me = useMe();
  const settings = useQuery(publicSettings).data;
  const { asked, ask, close } = useDialog<Asked>();
  const start = useStart({ onClose: close, onAsk: (what) => ask({ what }) });
  if (!settings) return null;
  const { offer, links, operator, trial_review_days: reviewDays } = settings;
  const { kind, plan } = standing;
  const address = links.support ?? (operator.contact === null ? undefined : `mailto:${operator.contact}`);
  const contact = (
    <Button variant="outlined" {...(address ? { href: address } : { onClick: () => ask({ what: "premium" }) })}>
      {t("plans.contact")}
    </Button>
  );
  const choose = (card: "payg" | "unlimited" | "premium") => {
    if (card === "premium") ask({ what: card });
    else if (organization.is_debtor) ask({ what: "unpaid" });
    else ask({ what: kind === null ? card : "cancelFirst" });
  };
  const starting = { offer, onStart: start, onClose: close };
  return (
    <>
      <Warnings warnings={standing.warnings} />
      <Section id="plan" words={t("plans.current.section", { returnObjects: true })}>
        <CurrentPlan
          organization={organization}
          offer={offer}
          reviewDays={reviewDays}
          standing={standing}
          onAsk={(what) => ask({ what })}
        />
      </Section>
      <Section id="plans" words={t("plans.choose.section", { returnObjects: true })}>
        <PlanCards offer={offer} organization={organization} kind={kind} contact={contact} onChoose={choose} />
      </Section>
      <OpenDialog
        asked={asked}
        dialogs={{
          payg: () => <StartPaygDialog {...starting} />,
          unlimited: () => <StartUpfrontDialog {...starting} rate={organization.tax_rate} />,
          premium: () => <PremiumDialog me={me} organization={organization.uuid} onClose={close} />,
          trial: () => <TrialDialog me={me} organization={organization.uuid} onClose={close} />,
          cancel: () =>
            plan &&
            (kind === "payg" ? (
              <EndPaygDialog plan={plan} organization={organization} onClose={close} />
            ) : (
              <RenewalDialog plan={plan} ends onClose={close} />
            )),
          restore: () => plan && <RenewalDialog plan={plan} ends={false} onClose={close} />,
          unpaid: () => (
            <AppDialog
              title={t("plans.unpaid.title")}
              onClose={close}
              actions={
                <>
                  <Button variant="text" onClick={close}>
                    {t("common.close")}
                  </Button>
                  <Button component={RouterLink} to={invoicesPath} variant="contained" color="primary">
                    {t("plans.unpaid.act")}
                  </Button>
                </>
              }
            >
              <Typography color="textSecondary">{t("plans.unpaid.help")}</Typography>
            </AppDialog>
          ),
          cancelFirst: () => (
            <AppDialog
              title={t("plans.cancelFirst.title")}
              onClose={close}
              dismiss={t("common.close")}
              actions={
                kind === "fixed"
                  ? contact
                  : plan &&
                    !standing.isEnding && (
                      <Button variant="contained" color="primary" onClick={() => ask({ what: "cancel" })}>
                        {t("plans.current.cancel")}
                      </Button>
                    )
              }
            >
              <Typography color="textSecondary">
                {t(`plans.cancelFirst.${kind ?? "payg"}`, { date: longDate(plan?.current_period_end, "") })}
              </Typography>
            </AppDialog>
          ),
        }}
      />
    </>
  );
}

/** Refusals that the service words for customers. */
const inWords = ["CARD_REFUSED", "PRICE_CHANGED", "INVALID_LICENSE"];

/** Starts a plan. Whatever the outcome, the dialog that asked is closed, and a message says what to do next. */
function useStart({ onClose, onAsk }: { onClose: () => void; onAsk: (what: "unpaid" | "cancelFirst") => void }) {
  const { t } = useTranslation();
  const { mutateAsync } = useMutation(startPlan);
  const queries = useQueryClient();
  return (choice: PlanChoice): Promise<void> =>
    mutateAsync(choice).then(onClose, (error: unknown) => {
      onClose();
      const code = error instanceof AppError ? error.code : undefined;
      if (code === "UNPAID_INVOICES") onAsk("unpaid");
      else if (code === "OTHER_PLAN_ACTIVE") onAsk("cancelFirst");
      else if (code === "BILLING_ADDRESS_MISSING")
        snack("error", t("plans.errors.address"), { label: t("plans.errors.addAddress"), to: "#billing-information" });
      else if (code === "PAYMENT_METHOD_MISSING")
        snack("error", t("plans.errors.card"), { label: t("plans.errors.addCard"), to: "#payment-methods" });
      else if (error instanceof NotConfirmed) snack("error", error.message);
      else if (code === "TOO_MANY_RUNNING_VDS") snack("error", t("plans.errors.devices"));
      else {
        if (code === "PRICE_CHANGED")
          for (const { queryKey } of [publicSettings, balance]) void queries.invalidateQueries({ queryKey });
        snack("error", inWords.includes(code ?? "") ? (error as AppError).message : t("plans.errors.start"));
      }
    });
}

/** A matter of the page that takes its whole width. */
function Section({
  id,
  words: { title, about },
  children,
}: {
  id: string;
  words: { title: string; about: string };
  children: React.ReactNode;
}) {
  return (
    <Box component="section" aria-labelledby={id} sx={{ display: "grid", gap: 3, minWidth: 0 }}>
      <div>
        <Typography variant="h2" id={id} sx={{ scrollMarginTop: 76 }}>
          {title}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {about}
        </Typography>
      </div>
      {children}
    </Box>
  );
}
