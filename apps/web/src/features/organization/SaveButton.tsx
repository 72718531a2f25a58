import { Box } from "@mui/material";
import { useTranslation } from "react-i18next";
import type { AppForm } from "../../components/form/app-form.ts";
import { SubmitButton } from "../../components/form/Form.tsx";

/** Saves one section of the settings; it stands below the section's fields. */
export function SaveButton<Values extends object>({ form }: { form: AppForm<Values> }) {
  const { t } = useTranslation();
  return (
    <Box>
      <SubmitButton form={form} busy={t("organization.busy")}>
        {t("organization.save")}
      </SubmitButton>
    </Box>
  );
}
