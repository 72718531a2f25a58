import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { TextField } from "../../components/form/TextField.tsx";

/** The origins of other pages, one on each line. */
export function OriginsField({ form, help }: { form: AppForm<{ origins: string }>; help: string }) {
  const { t } = useTranslation();
  return (
    <TextField
      form={form}
      name="origins"
      label={t("organization.origins.label")}
      help={help}
      multiline
      minRows={2}
      maxRows={10}
    />
  );
}
