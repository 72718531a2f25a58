import { limits, maxLength, type Organization, required, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { TextInput } from "../../components/TextInput.tsx";
import { editOrganization } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** What the organization is called, and what others name it by when they share with it. */
export function OrganizationName({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const { uuid, name } = organization;
  const form = useAppForm({
    initial: { name },
    rules: { name: [required, maxLength(limits.textLength), visible] },
    async send(values) {
      await editOrganization(organization, values);
      snack("success", t("organization.name.done"));
    },
    refusalOf: () => t("organization.failed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <TextField
        form={form}
        name="name"
        label={t("organization.name.label")}
        max={limits.textLength}
        autoComplete="organization"
      />
      <TextInput
        readOnly
        sx={{ bgcolor: "background.sunken" }}
        label={t("organization.name.id")}
        help={t("organization.name.idHelp")}
        value={uuid}
      />
    </Form>
  );
}
