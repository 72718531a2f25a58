import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import type { FieldPath } from "../../components/form/field-path.ts";
import { TextField } from "../../components/form/TextField.tsx";

/** Why the operator does something; by default with who reads it. */
export function ReasonField<Values extends { reason: string }>({
  form,
  isRead = true,
}: {
  form: AppForm<Values>;
  /** Whether the managers of an organization read it. */
  isRead?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <TextField
      form={form}
      name={"reason" as FieldPath<Values>}
      label={t("operator.organization.dialog.reason")}
      help={isRead ? t("operator.organization.dialog.reasonHelp") : undefined}
      max={limits.textLength}
      autoComplete="off"
    />
  );
}
