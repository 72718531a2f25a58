import { Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Organization, Subscription } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { money } from "../../components/money.ts";
import { balance as balanceQuery, endPayg, setRenewal } from "./billing.queries.ts";

interface Props {
  plan: Subscription;
  onClose: () => void;
}

/** Ends pay-as-you-go, after saying what is billed and what stops. */
export function EndPaygDialog({ plan, organization, onClose }: Props & { organization: Organization }) {
  const { t } = useTranslation();
  const { mutateAsync: end } = useMutation(endPayg);
  const { data: balance } = useQuery(balanceQuery);
  const form = useAppForm({
    initial: {},
    send: async () => {
      await end(plan);
      onClose();
    },
    refusalOf: () => t("plans.errors.cancel"),
  });
  const says = [
    t("plans.cancel.payg.bill", { amount: balance ? money(balance.amount, balance.currency) : t("common.none") }),
    t("plans.cancel.payg.devices", { count: organization.running_instances }),
    t("plans.cancel.payg.after", { count: balance?.minutes ?? 0 }),
  ];
  return (
    <FormDialog
      title={t("plans.cancel.payg.title")}
      form={form}
      submit={t("plans.cancel.payg.submit")}
      busy={t("plans.cancel.busy")}
      dismiss={t("plans.cancel.keep")}
      onClose={onClose}
      isDestructive
    >
      {says.map((sentence) => (
        <Typography key={sentence} color="textSecondary">
          {sentence}
        </Typography>
      ))}
    </FormDialog>
  );
}

/** Lets an upfront plan end with its period, or restores it, after saying what that means. */
export function RenewalDialog({ plan, ends, onClose }: Props & { ends: boolean }) {
  const { t } = useTranslation();
  const { mutateAsync: set } = useMutation(setRenewal);
  const date = longDate(plan.current_period_end, "");
  const { price, currency } = plan.items[0]?.plan ?? { price: 0, currency: "USD" };
  const amount = money(plan.quantity * (plan.renewal?.price ?? price), currency);
  const words = ends ? "plans.cancel.unlimited" : "plans.restore";
  const form = useAppForm({
    initial: {},
    send: async () => {
      await set({ plan, ends });
      onClose();
    },
    refusalOf: (code) =>
      t(ends ? "plans.errors.cancel" : code === "LICENSE_ENDS" ? "plans.errors.ends" : "plans.errors.restore"),
  });
  return (
    <FormDialog
      title={t(`${words}.title`)}
      form={form}
      submit={t(`${words}.submit`)}
      busy={t(ends ? "plans.cancel.busy" : "plans.restore.busy")}
      dismiss={ends ? t("plans.cancel.keep") : undefined}
      onClose={onClose}
      isDestructive={ends}
    >
      <Typography color="textSecondary">{t(`${words}.help`, { date, amount })}</Typography>
    </FormDialog>
  );
}
