import { email, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { beginSso, type Purpose } from "./begin.ts";
import { ssoRefusalKey } from "./refusal.ts";

/** Asks for the address by which the provider of somebody's organization is found. */
export function OrganizationForm({ purpose }: { purpose: Purpose }) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { email: "" },
    rules: { email: [required, email] },
    send: (typed) => beginSso("organization", purpose, typed.email.trim()),
    refusalOf: (code) => ({ field: "email", says: t(ssoRefusalKey(code)) }),
  });
  const submit = (
    <SubmitButton form={form} busy={t("sso.organization.busy")} size="large">
      {t("sso.organization.submit")}
    </SubmitButton>
  );
  return (
    <Form form={form} submit={submit} takesFocus>
      <TextField form={form} name="email" label={t("sso.organization.email")} type="email" autoComplete="email" />
    </Form>
  );
}
