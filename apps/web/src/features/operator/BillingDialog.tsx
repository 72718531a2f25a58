import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { type Invoice, limits, maxLength, type OperatedBilling, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { money } from "../../components/money.ts";
import { actOnBilling } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

/** What is asked for: something for an organization, or with one of its invoices. */
export type BillingAsk =
  | { act: "price"; plan: NonNullable<OperatedBilling["plan"]> }
  | { act: "minutes" }
  | { act: "refund" | "paid"; invoice: Invoice };

interface Props {
  asked: BillingAsk;
  organization: { uuid: string; name: string };
  onClose: () => void;
}

const typed = (cents: number): string => (cents / 100).toFixed(2);
/** An amount that was typed, in cents. */
const centsOf = (text: string): number => Math.round(Number(text) * 100);

/** The figure that an act takes: what it begins with, in which currency it is if it is money, and within which bounds. */
function figureOf(asked: BillingAsk): { initial: string; currency?: string; min: number; max: number } | undefined {
  if (asked.act === "minutes") return { initial: "", min: 1, max: limits.grantMax };
  if (asked.act === "price") {
    const { price, currency } = asked.plan.items[0]?.plan ?? { price: 0, currency: "USD" };
    return { initial: typed(price), currency, min: 0, max: limits.priceMax };
  }
  if (asked.act === "paid") return undefined;
  const { amount, currency } = asked.invoice;
  return { initial: typed(amount), currency, min: 1, max: amount };
}

/** Asks for what an act needs, and why it is done. */
export function BillingDialog({ asked, organization, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: run } = useMutation(actOnBilling);
  const { act } = asked;
  const figure = figureOf(asked);
  const invoice = "invoice" in asked ? asked.invoice : undefined;
  const isMoney = figure?.currency !== undefined;
  const valueOf = (text: string) => (isMoney ? centsOf(text) : Number(text));
  const isFigure = (text: string) => (isMoney ? /^\d{1,8}(\.\d{1,2})?$/ : /^\d{1,8}$/).test(text);
  const said = {
    name: organization.name,
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
          (text: string) =>
            isFigure(text.trim()) && valueOf(text) >= figure.min && valueOf(text) <= figure.max
              ? undefined
              : {
                  message: isMoney
                    ? t("operator.billing.wrong", { max: typed(figure.max) })
                    : t("operator.billing.acts.minutes.figureHelp", said),
                },
        ],
      }),
    },
    send: async ({ figure: text, reason }) => {
      await run({ act, uuid: invoice?.uuid ?? organization.uuid, figure: valueOf(text), reason: reason.trim() });
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
      onClose={onClose}
      isDestructive={act === "refund"}
    >
      <Typography color="textSecondary">{t(`operator.billing.acts.${act}.help`, said)}</Typography>
      {act !== "paid" && (
        <TextField
          form={form}
          name="figure"
          label={t(`operator.billing.acts.${act}.figure`, said)}
          help={t(`operator.billing.acts.${act}.figureHelp`, said)}
          inputMode={isMoney ? "decimal" : "numeric"}
          autoComplete="off"
        />
      )}
      <ReasonField form={form} />
    </FormDialog>
  );
}
