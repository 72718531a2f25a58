import "../../en/trial.ts";
import { Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import {
  companyFields,
  email,
  limits,
  maxLength,
  required,
  type TrialKind,
  trialKinds,
  trialTerms,
  visible,
} from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useFormState } from "../../components/form/use-form.ts";
import { Segmented } from "../../components/Segmented.tsx";
import { publicSettings } from "../../session/settings.ts";
import type { Me } from "../../session/user.ts";
import { AskerFields } from "../asker/AskerFields.tsx";
import { requestTrial } from "./trial.queries.ts";

interface Props {
  me: Me;
  /** Its uuid. */
  organization: string;
  onClose: () => void;
  /** Why it is asked for now. */
  children?: React.ReactNode;
}

const line = [required, maxLength(limits.textLength), visible];
const kindAtFirst: { type_license: TrialKind } = { type_license: "enterprise" };
const text = maxLength(limits.planRequestLength);

/** Asks for a trial, for a company or for oneself. */
export function TrialDialog({ me, organization, onClose, children }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: request } = useMutation(requestTrial);
  const { data: settings } = useQuery(publicSettings);
  const form = useAppForm({
    initial: {
      ...kindAtFirst,
      first_name: me.first_name,
      last_name: me.last_name,
      email: me.email,
      country: "",
      company_name: me.organization?.name ?? "",
      role: "",
      nb_of_employees: "",
      nb_of_concurrent_vd: "",
      company_activity: "",
      use_cases: "",
      additional_info: "",
    },
    rules: {
      first_name: line,
      last_name: line,
      email: [required, email],
      country: [required],
      use_cases: [required, text],
      additional_info: [text],
    },
    *check(values) {
      if (values.type_license === "individual") return;
      for (const name of companyFields) yield [name, line.map((rule) => rule(values[name])).find(Boolean)];
    },
    send: async ({ type_license, ...values }) => {
      const company = type_license === "individual" && Object.fromEntries(companyFields.map((name) => [name, ""]));
      await request({ user: me.uuid, organization, body: { type_license, ...values, ...company } });
      onClose();
    },
    refusalOf: (code) => {
      if (code === "COMPANY_EMAIL_NEEDED") return { field: "email", says: t("trial.companyEmailNeeded") };
      if (code === "TRIAL_REQUESTED") return t("trial.requested");
      if (code === "TRIAL_USED") return t("trial.used");
      return t(code === "OTHER_PLAN_ACTIVE" ? "trial.hasPlan" : "trial.failed");
    },
  });
  const kind = useFormState(form, ({ values }) => values.type_license);
  const isCompany = kind === "enterprise";
  return (
    <FormDialog
      title={t("trial.title")}
      form={form}
      submit={t("trial.submit")}
      busy={t("trial.busy")}
      onClose={onClose}
      width={600}
    >
      {children}
      <Segmented
        label={t("trial.kind")}
        value={kind}
        onChange={(value) => form.set("type_license", value)}
        choices={trialKinds.map((value) => ({ value, label: t(`trial.kinds.${value}`) }))}
        isFullWidth
        describedBy="trial-terms"
      />
      <Typography id="trial-terms" variant="body2" color="textSecondary">
        {t(`trial.${kind}`, trialTerms[kind])} {settings && t("trial.about", { count: settings.trial_review_days })}
      </Typography>
      <AskerFields
        form={form}
        names={{
          firstName: "first_name",
          lastName: "last_name",
          email: "email",
          country: "country",
          ...(isCompany && {
            company: {
              name: "company_name",
              role: "role",
              employees: "nb_of_employees",
              devices: "nb_of_concurrent_vd",
            },
          }),
        }}
        {...(isCompany && { emailHelp: t("trial.companyEmail") })}
      />
      {isCompany && (
        <TextField form={form} name="company_activity" label={t("trial.activity")} max={limits.textLength} />
      )}
      <TextField
        form={form}
        name="use_cases"
        label={t("trial.useCases")}
        max={limits.planRequestLength}
        multiline
        minRows={2}
        maxRows={6}
      />
      <TextField
        form={form}
        name="additional_info"
        label={t("trial.more")}
        max={limits.planRequestLength}
        multiline
        minRows={2}
        maxRows={6}
      />
    </FormDialog>
  );
}
