import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import {
  type Invoice,
  isInteger,
  limits,
  maxLength,
  type OperatedBilling,
  required,
  within,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { longDate } from "../../components/dates.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { amountWithin, centsOf, money, typedMoney } from "../../components/money.ts";
import { actOnBilling } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

/** What is asked for: something for an organization, or with one of its invoices. */
export type BillingAsk =
  | { act: "price"; plan: NonNullable<OperatedBilling["plan"]> }
  | { act: "tax"; percentage: number | null }
  | { act: "minutes" }
  | { act: "cancel"; plan: NonNullable<OperatedBilling["plan"]> }
  | { act: "refund" | "paid"; invoice: Invoice };

interface Props {
  asked: BillingAsk;
  organization: { uuid: string; name: string };
  onClose: () => void;
}

/** The figure that an act takes: what it begins with, in which currency it is if it is money, and within which bounds. */
function figureOf(asked: BillingAsk): { initial: string; currency?: string; min: number; max: number } | undefined {
  if (asked.act === "minutes") return { initial: "", min: 1, max: limits.grantMax };
  if (asked.act === "tax") return { initial: asked.percentage?.toString() ?? "", min: 0, max: 100 };
  if (asked.act === "price") {
    const { price, currency } = asked.plan.items[0]?.plan ?? { price: 0, currency: "USD" };
    return { initial: typedMoney(price), currency, min: 0, max: limits.priceMax };
  }
  if (asked.act === "paid" || asked.act === "cancel") return undefined;
  const { amount, currency } = asked.invoice;
  return { initial: typedMoney(amount), currency, min: 1, max: amount };
}

/** Asks for what an act needs, and why it is done. */
export function BillingDialog({ asked, organization, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: run } = useMutation(actOnBilling);
  const { act } = asked;
  const figure = figureOf(asked);
  const invoice = "invoice" in asked ? asked.invoice : undefined;
  const isMoney = figure?.currency !== undefined;
  const said = {
    name: organization.name,
    date: asked.act === "cancel" ? longDate(asked.plan.current_period_end, "") : "",
    number: invoice?.invoice_number ?? "",
    amount: invoice ? money(invoice.amount, invoice.currency) : "",
    currency: figure?.currency ?? "",
    max: limits.grantMax.toLocaleString("en"),
  };
  const form = useAppForm({
    initial: { figure: figure?.initial ?? "", reason: "" },
    rules: {
      reason: [required, maxLength(limits.textLength)],
      ...(figure && {
        figure: [
          // Without a tax of its own its country decides.
          ...(act === "tax" ? [] : [required]),
          ...(act === "minutes" ? [isInteger] : []),
          // A tax has as many decimals as money.
          act === "minutes" ? within(figure) : amountWithin(act === "tax" ? { min: 0, max: 100 * figure.max } : figure),
        ],
      }),
    },
    send: async ({ figure: text, reason }) => {
      const value = text.trim() === "" ? null : (isMoney ? centsOf : Number)(text);
      await run({ act, uuid: invoice?.uuid ?? organization.uuid, figure: value, reason: reason.trim() });
      onClose();
    },
    refusalOf: (code) => {
      if (code === "SUBSCRIPTION_NOT_FOUND") return t("operator.billing.planGone");
      return t(code?.startsWith("INVOICE_") ? "operator.billing.refused" : "errors.operatorChange");
    },
  });
  return (
    <FormDialog
      title={t(`operator.billing.acts.${act}.title`, said)}
      form={form}
      submit={t(`operator.billing.acts.${act}.act`)}
      busy={t("operator.billing.busy")}
      dismiss={act === "cancel" ? t("operator.billing.acts.cancel.keep") : undefined}
      onClose={onClose}
      isDestructive={act === "refund" || act === "cancel"}
    >
      <Typography color="textSecondary">
        {asked.act === "cancel" && asked.plan.plan !== "payg"
          ? t("operator.billing.acts.cancel.upfront", said)
          : t(`operator.billing.acts.${act}.help`, said)}
      </Typography>
      {act !== "paid" && act !== "cancel" && (
        <TextField
          form={form}
          name="figure"
          label={t(`operator.billing.acts.${act}.figure`, said)}
          help={t(`operator.billing.acts.${act}.figureHelp`, said)}
          inputMode={act === "minutes" ? "numeric" : "decimal"}
          autoComplete="off"
        />
      )}
      <ReasonField form={form} />
    </FormDialog>
  );
}
