import "../../en/prove.ts";
import { Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import type { FieldPath } from "../../components/form/field-path.ts";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useMe } from "../../session/user.ts";

interface Props<Values extends { password: string }> {
  form: AppForm<Values>;
  hasPassword: boolean;
}

/** The password, or what is asked for in its place. */
export function ProofField<Values extends { password: string }>({ form, hasPassword }: Props<Values>) {
  const { t } = useTranslation();
  const { email } = useMe();
  if (!hasPassword) return <Typography color="textSecondary">{t("prove.none")}</Typography>;
  return (
    <>
      {/* For password managers. */}
      <input hidden readOnly autoComplete="username" value={email} />
      <PasswordField
        form={form}
        name={"password" as FieldPath<Values>}
        label={t("prove.password")}
        autoComplete="current-password"
        keepsRoom
      />
    </>
  );
}
