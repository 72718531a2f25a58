import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { limits } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { serviceNow } from "../../components/service-time.ts";
import { replayFailed } from "./webhooks.queries.ts";

const HOUR_MS = 60 * 60 * 1000;
const hourChoices = [1, 24] as const;
const dayChoices = [3, limits.webhookLogDays] as const;

/** Asks how far back what has failed is to be sent again. */
export function ReplayFailedDialog({ webhook: uuid, onClose }: { webhook: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: replay } = useMutation(replayFailed);
  const form = useAppForm({
    initial: { hours: 24 },
    async send({ hours }) {
      await replay({ uuid, since: new Date(serviceNow() - hours * HOUR_MS).toISOString() });
      onClose();
    },
    // The mutation says it in a line below.
    refusalOf: () => "",
  });
  return (
    <FormDialog
      title={t("webhooks.replayDialog.title")}
      form={form}
      submit={t("webhooks.replayDialog.submit")}
      busy={t("webhooks.replayDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">{t("webhooks.replayDialog.help")}</Typography>
      <SelectField
        form={form}
        name="hours"
        label={t("webhooks.replayDialog.since")}
        choices={[
          ...hourChoices.map((count) => ({ value: count, label: t("webhooks.replayDialog.hours", { count }) })),
          ...dayChoices.map((count) => ({ value: 24 * count, label: t("webhooks.replayDialog.days", { count }) })),
        ]}
      />
    </FormDialog>
  );
}
