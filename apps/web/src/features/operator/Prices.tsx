import { Box, Button, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  isInteger,
  limits,
  maxLength,
  type OperatedPrices,
  plans,
  type Price,
  priceBounds,
  priceOf,
  required,
  within,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../components/ErrorState.tsx";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { amountWithin, centsOf, money, typedMoney } from "../../components/money.ts";
import { Facts } from "./Facts.tsx";
import { prices, setPrices } from "./operator.queries.ts";
import { ReasonField } from "./ReasonField.tsx";

const names = Object.keys(priceBounds) as Price[];
const isMoney = (name: Price): boolean => name.endsWith("_cents");
const typedOf = (name: Price, value: number | null): string =>
  value === null ? "" : (isMoney(name) ? typedMoney : String)(value);

/** What the service costs, and the way to change it. */
export function Prices({ onChange }: { onChange: (known: OperatedPrices) => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(prices);
  if (error && !data)
    return (
      <ErrorState
        title={t("errors.operatorPrices")}
        help={t("operator.failed")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const shown = (name: Price, value: number) =>
    isMoney(name) ? money(value, data?.currency) : value.toLocaleString("en");
  return (
    <Facts
      title={t("operator.prices.title")}
      mark={
        data && (
          <Button variant="outlined" onClick={() => onChange(data)}>
            {t("operator.prices.act")}
          </Button>
        )
      }
      facts={names.map((name) => {
        if (!data) return [t(`operator.prices.of.${name}`), t("common.none")];
        const [setting, set] = [shown(name, data.settings[name]), data.set[name]];
        return [
          t(`operator.prices.of.${name}`),
          set === null ? setting : t("operator.prices.notSettings", { value: shown(name, set), setting }),
        ];
      })}
    />
  );
}

/** Asks for other prices, and why. */
export function PricesDialog({ known, onClose }: { known: OperatedPrices; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: set } = useMutation(setPrices);
  const typed = Object.fromEntries(names.map((name) => [name, typedOf(name, known.set[name])])) as Record<
    Price,
    string
  >;
  const ruleOf = (name: Price) => {
    const bounds = priceBounds[name];
    return isMoney(name) ? [amountWithin(bounds)] : [isInteger, within(bounds)];
  };
  const valueOf = (name: Price, text: string) => (text.trim() === "" ? null : (isMoney(name) ? centsOf : Number)(text));
  /** What plans cost by what is typed: those that run are offered the change of that. */
  const costsOf = (values: Record<Price, string>) => {
    const costs = Object.fromEntries(names.map((name) => [name, valueOf(name, values[name]) ?? known.settings[name]]));
    return plans.map((plan) => priceOf(plan, costs as Record<Price, number>)).join();
  };
  const form = useAppForm({
    initial: { ...typed, includes_running: false, reason: "" },
    rules: {
      ...(Object.fromEntries(names.map((name) => [name, ruleOf(name)])) as Record<Price, ReturnType<typeof ruleOf>>),
      reason: [required, maxLength(limits.textLength)],
    },
    send: async ({ includes_running, reason, ...values }) => {
      // What others have set meanwhile stays.
      const touched = names.filter((name) => values[name] !== typed[name]);
      const changed = Object.fromEntries(touched.map((name) => [name, valueOf(name, values[name])]));
      const isOffered = costsOf(values) !== costsOf(typed);
      await set({ prices: changed, includes_running: includes_running && isOffered, reason: reason.trim() });
      onClose();
    },
    refusalOf: () => t("errors.operatorChange"),
  });
  const isOffered = costsOf(useValues(form)) !== costsOf(typed);
  return (
    <FormDialog
      title={t("operator.prices.act")}
      form={form}
      submit={t("operator.prices.act")}
      busy={t("operator.billing.busy")}
      onClose={onClose}
      width={560}
    >
      <Typography color="textSecondary">{t("operator.prices.help", known)}</Typography>
      <Box sx={{ display: "grid", gap: 4, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
        {names.map((name) => (
          <TextField
            key={name}
            form={form}
            name={name}
            label={t(`operator.prices.of.${name}`)}
            help={t("operator.prices.setting", { value: typedOf(name, known.settings[name]) })}
            inputMode={isMoney(name) ? "decimal" : "numeric"}
            autoComplete="off"
          />
        ))}
      </Box>
      {isOffered && (
        <CheckboxField
          form={form}
          name="includes_running"
          label={t("operator.prices.running")}
          help={t("operator.prices.runningHelp")}
        />
      )}
      <ReasonField form={form} isRead={false} />
    </FormDialog>
  );
}
