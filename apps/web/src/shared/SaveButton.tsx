import "../en/organization.ts";
import { Box } from "@mui/material";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { announce } from "../components/announce.ts";
import type { AppForm } from "../components/form/app-form.ts";
import { SubmitButton } from "../components/form/Form.tsx";
import { useFormState } from "../components/form/use-form.ts";

/** Saves one section of the settings; it stands below the section's fields, and out only when there is something to save. */
export function SaveButton<Values extends object>({ form }: { form: AppForm<Values> }) {
  const { t } = useTranslation();
  const isEdited = useFormState(form, (state) => state.isEdited);
  const stay = (event: MouseEvent) => {
    event.preventDefault();
    announce(t("organization.unchanged"));
  };
  return (
    <Box>
      <SubmitButton
        form={form}
        busy={t("organization.busy")}
        {...(!isEdited && { variant: "outlined", "aria-disabled": true, onClick: stay, sx: atRest })}
      >
        {t("organization.save")}
      </SubmitButton>
    </Box>
  );
}

/** Nothing is under way. */
const atRest = { "&[aria-disabled=true]": { cursor: "default" } } as const;
