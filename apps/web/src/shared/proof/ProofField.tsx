import "../../en/prove.ts";
import { Skeleton, Typography } from "@mui/material";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import type { AppForm } from "../../components/form/app-form.ts";
import type { FieldPath } from "../../components/form/field-path.ts";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useMe } from "../../session/user.ts";

interface Props<Values extends { password: string }> {
  form: AppForm<Values>;
  /** Undefined while it is not known. */
  hasPassword: boolean | undefined;
}

/** The password, or what is asked for in its place. */
export function ProofField<Values extends { password: string }>({ form, hasPassword }: Props<Values>) {
  const { t } = useTranslation();
  const { email } = useMe();
  if (hasPassword === undefined)
    return (
      <Delayed>
        <Skeleton variant="rounded" height={36} component="output" aria-label={t("prove.wait")} />
      </Delayed>
    );
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
        reservesLine
      />
    </>
  );
}
