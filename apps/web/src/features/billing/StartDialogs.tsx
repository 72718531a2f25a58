import { Box, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, type Offer, type Organization, planTimes, priceOf, taxShown } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FactList } from "../../components/FactList.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { StepperField } from "../../components/form/StepperField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { money } from "../../components/money.ts";
import { Segmented } from "../../components/Segmented.tsx";
import { balance, type PlanChoice } from "./billing.queries.ts";
import { upfrontTotal } from "./prices.ts";

interface Props {
  offer: Offer;
  /** Starts it, and closes the dialog whatever the outcome. */
  onStart: (choice: PlanChoice) => Promise<void>;
  onClose: () => void;
}

/** What pay-as-you-go costs: nothing today. */
export function StartPaygDialog({ offer, onStart, onClose }: Props) {
  const { t } = useTranslation();
  const { currency } = offer;
  const form = useAppForm({
    initial: {},
    send: () => onStart({ plan: "payg", quantity: 1, price: priceOf("payg", offer) }),
    refusalOf: () => t("plans.errors.start"),
  });
  return (
    <FormDialog
      title={t("plans.payg.title")}
      form={form}
      submit={t("plans.payg.submit")}
      busy={t("plans.starting")}
      onClose={onClose}
    >
      <FactList>
        <dt>{t("plans.payg.price")}</dt>
        <dd>{money(offer.minute_cents, currency)}</dd>
        <dt>{t("plans.payg.billed")}</dt>
        <dd>{t("plans.payg.billedEvery", { days: planTimes.billingDays })}</dd>
        <Total label={t("plans.payg.due")} amount={money(0, currency)} />
      </FactList>
      <Typography variant="body2" color="textSecondary">
        {t("plans.payg.threshold", { threshold: money(offer.payg_threshold_cents, currency) })}
      </Typography>
    </FormDialog>
  );
}

const atFirst: { plan: "annual" | "monthly" } = { plan: "annual" };

/** How many devices, for how long, and what that comes to. */
export function StartUpfrontDialog({ offer, rate, onStart, onClose }: Props & { rate: Organization["tax_rate"] }) {
  const { t } = useTranslation();
  // The service refuses another total, also one that this did not load for.
  const waits = useQuery({ ...balance, refetchOnMount: "always" }).data?.waiting ?? 0;
  // Nothing is charged for a plan that is free.
  const waitingWith = (total: number) => (total > 0 ? waits : 0);
  const form = useAppForm({
    initial: { ...atFirst, quantity: "1" },
    send: ({ plan, quantity: devices }) => {
      const choice = { plan, quantity: Number(devices) || 1 };
      const { total } = upfrontTotal(choice, offer, rate);
      return onStart({ ...choice, price: priceOf(plan, offer), total: total + waitingWith(total) });
    },
    refusalOf: () => t("plans.errors.start"),
  });
  const { plan, quantity: typed } = useValues(form);
  const quantity = Math.max(1, Number(typed));
  const { currency, annual_discount: percent, unlimited_monthly_cents: price } = offer;
  const { full, discount, tax, total } = upfrontTotal({ plan, quantity }, offer, rate);
  const waiting = waitingWith(total);
  const due = money(total + waiting, currency);
  return (
    <FormDialog
      title={t("plans.upfront.title")}
      form={form}
      submit={t("plans.upfront.submit", { total: due })}
      busy={t("plans.starting")}
      onClose={onClose}
    >
      <Segmented
        label={t("plans.upfront.period")}
        value={plan}
        onChange={(value) => form.set("plan", value)}
        choices={[
          { value: "annual", label: t("plans.upfront.periods.annual", { percent }) },
          { value: "monthly", label: t("plans.upfront.periods.monthly") },
        ]}
        isFullWidth
      />
      <StepperField
        form={form}
        name="quantity"
        label={t("plans.upfront.quantity")}
        min={1}
        max={limits.upfrontDevices}
        words={{ less: t("plans.upfront.less"), more: t("plans.upfront.more") }}
      />
      <Box component="output" aria-live="polite">
        <FactList>
          <dt>{t(`plans.upfront.devices.${plan}`, { quantity, price: money(price, currency) })}</dt>
          <dd>{money(full, currency)}</dd>
          {plan === "annual" && (
            <>
              <dt>{t("plans.upfront.discount", { percent })}</dt>
              <dd>{money(discount, currency)}</dd>
            </>
          )}
          <dt>{t("plans.upfront.tax")}</dt>
          <dd>{tax === 0 ? taxShown(rate) : `${taxShown(rate)}: ${money(tax, currency)}`}</dd>
          {waiting > 0 && (
            <>
              <dt>{t("plans.upfront.waiting")}</dt>
              <dd>{money(waiting, currency)}</dd>
            </>
          )}
          <Total label={t("plans.upfront.total")} amount={due} />
        </FactList>
      </Box>
      <Typography variant="body2" color="textSecondary">
        {t(`plans.upfront.renews.${plan}`)}
      </Typography>
    </FormDialog>
  );
}

const Total = ({ label, amount }: { label: string; amount: string }) => (
  <>
    <Box component="dt" sx={{ ...totalLine, mr: "-16px" }}>
      {label}
    </Box>
    <Box component="dd" sx={{ ...totalLine, typography: "figure" }}>
      {amount}
    </Box>
  </>
);

const totalLine = { pt: 2, borderTop: 1, borderColor: "divider", alignSelf: "stretch", fontWeight: 550 } as const;
