import { Box } from "@mui/material";
import { inactivityOptions, type Organization, runDurationOptions } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { sayDuration } from "../../components/say-duration.ts";
import { snack } from "../../components/snack-queue.ts";
import { editOrganization } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** When devices stop by themselves. */
export function DeviceTimeouts({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const { inactivity, global, api } = organization.preferences.timeouts;
  const form = useAppForm<{ inactivity: number; global: number; api: number }>({
    initial: { inactivity, global, api },
    async send(timeouts) {
      await editOrganization(organization, { preferences: { timeouts } });
      snack("success", t("organization.timeouts.done"));
    },
    refusalOf: () => t("organization.failed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <Box sx={{ display: "grid", gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" }, gap: 3 }}>
        <SelectField
          form={form}
          name="inactivity"
          label={t("organization.timeouts.inactivity")}
          help={t("organization.timeouts.inactivityHelp")}
          choices={inactivityOptions.map((minutes) => ({
            value: minutes,
            label: minutes === 0 ? t("organization.timeouts.none") : sayDuration(minutes, t),
          }))}
        />
        <SelectField
          form={form}
          name="global"
          label={t("organization.timeouts.global")}
          help={t("organization.timeouts.globalHelp")}
          choices={runDurationOptions.map((minutes) => ({
            value: minutes,
            label: minutes === 0 ? t("organization.timeouts.none") : sayDuration(minutes, t),
          }))}
        />
        <SelectField
          form={form}
          name="api"
          label={t("organization.timeouts.api")}
          help={t("organization.timeouts.apiHelp")}
          choices={runDurationOptions.map((minutes) => ({
            value: minutes,
            label: minutes === 0 ? t("organization.timeouts.none") : sayDuration(minutes, t),
          }))}
        />
      </Box>
    </Form>
  );
}
