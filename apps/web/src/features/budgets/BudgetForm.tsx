import { useMutation, useQuery } from "@tanstack/react-query";
import { type Budget, budgetUnits, type Currency, isInteger, limits, required, within } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { AppForm, Broken } from "../../components/form/app-form.ts";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { ChoiceField } from "../../components/form/ChoiceField.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { amountWithin, centsOf, typedMoney } from "../../components/money.ts";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useField, useValues } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { emailRules } from "../../shared/email-rules.ts";
import { EmailsField } from "../../shared/EmailsField.tsx";
import { itemsOf } from "../../shared/group-items.ts";
import { GroupField } from "../../shared/GroupField.tsx";
import { groupTree } from "../../shared/groups.queries.ts";
import { createBudget, editBudget } from "./budgets.queries.ts";

interface Values {
  of: Budget["of"]["kind"];
  group: string;
  emails: string[];
  unit: Budget["unit"];
  /** As it was typed: minutes, or whole currency with or without cents. */
  limit: string;
  stops: boolean;
}

interface Props {
  /** The one to change; undefined to set one. */
  budget: Budget | undefined;
  currency: Currency;
  onClose: () => void;
}

const kinds = ["organization", "group", "person"] as const;

/** Sets a budget or changes one, whose owner stays. */
export function BudgetForm({ budget, currency, onClose }: Props) {
  const { t } = useTranslation();
  const { organization } = useMe();
  const { mutateAsync: create } = useMutation(createBudget);
  const { mutateAsync: edit } = useMutation(editBudget);
  const initial: Values = {
    of: budget?.of.kind ?? "organization",
    group: "",
    emails: [],
    unit: budget?.unit ?? "minutes",
    limit: budget ? (budget.unit === "cents" ? typedMoney : String)(budget.limit) : "",
    stops: budget?.stops ?? false,
  };
  const isFor = (kind: Values["of"], { of }: Values) => budget === undefined && of === kind;
  const form = useAppForm<Values>({
    initial,
    rules: {
      group: [(group, values) => (isFor("group", values) ? required(group) : undefined)],
      emails: [
        (emails, values): Broken | undefined =>
          isFor("person", values) && emails.length === 0 ? { says: "required" } : undefined,
        ...emailRules<Values>(t, 1),
      ],
      limit: [
        required,
        (limit, { unit }) => (unit === "minutes" ? isInteger(limit) : undefined),
        (limit, { unit }) => (unit === "minutes" ? within : amountWithin)({ min: 1, max: limits.budgetMax })(limit),
      ],
    },
    async send(values) {
      const { unit, stops } = values;
      const limit = (unit === "cents" ? centsOf : Number)(values.limit);
      if (budget) await edit({ uuid: budget.uuid, unit, limit, stops });
      else {
        const email = isFor("person", values) ? values.emails[0] : undefined;
        const group_uuid = isFor("group", values) ? values.group : null;
        await create({ group_uuid, email, organization: organization?.uuid ?? "", unit, limit, stops });
      }
      onClose();
    },
    refusalOf: (code) => {
      switch (code) {
        case "RECIPIENTS_NOT_FOUND":
        case "USER_NOT_FOUND":
          return { field: "emails", says: t("addOrganizationUsers.errors.emailsUnknown") };
        case "BUDGET_EXISTS":
          return t("budgets.refused.exists");
        case "TOO_MANY_BUDGETS":
          return t("budgets.refused.full");
        case "GROUP_NOT_FOUND":
        case "BUDGET_NOT_FOUND":
          return t("budgets.refused.gone");
        default:
          return t("budgets.refused.failed");
      }
    },
  });
  const values = useValues(form);
  return (
    <FormDialog
      title={budget ? t("budgets.form.edit", budget.of) : t("budgets.form.create")}
      form={form}
      submit={t("budgets.form.save")}
      busy={t("budgets.form.saving")}
      width={480}
      onClose={onClose}
    >
      {!budget && (
        <ChoiceField
          form={form}
          name="of"
          label={t("budgets.form.of")}
          choices={kinds.map((value) => ({ value, label: t(`budgets.form.ofs.${value}`) }))}
        />
      )}
      {isFor("group", values) && <OfGroup form={form} />}
      {isFor("person", values) && (
        <EmailsField form={form} name="emails" label={t("budgets.form.person")} help={t("budgets.form.personHelp")} />
      )}
      <ChoiceField
        form={form}
        name="unit"
        label={t("budgets.form.unit")}
        choices={budgetUnits.map((value) => ({ value, label: t(`budgets.form.units.${value}`) }))}
      />
      <TextField
        form={form}
        name="limit"
        label={t(`budgets.form.${values.unit}`, { currency })}
        help={t("budgets.form.limitHelp")}
        inputMode={values.unit === "minutes" ? "numeric" : "decimal"}
        autoComplete="off"
      />
      <CheckboxField
        form={form}
        name="stops"
        label={t("budgets.form.stops")}
        help={t("budgets.form.stopsHelp", { minutes: limits.stopNoticeMinutes })}
      />
    </FormDialog>
  );
}

function OfGroup({ form }: { form: AppForm<Values> }) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(groupTree);
  const field = useField<string>(form, "group");
  return (
    <GroupField
      field={field}
      items={itemsOf(data)}
      label={t("budgets.form.group")}
      placeholder={t("budgets.form.chooseGroup")}
      none={t("budgets.form.noGroup")}
    />
  );
}
