import type { Organization } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { editOrganization } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** Whether starts wait when nothing has room, unless they say otherwise. */
export function WhenFull({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { queue: organization.preferences.queue },
    async send({ queue }) {
      await editOrganization(organization, { preferences: { queue } });
      snack("success", t(queue ? "organization.full.waits" : "organization.full.refuses"));
    },
    refusalOf: () => t("organization.failed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <CheckboxField form={form} name="queue" label={t("organization.full.queue")} help={t("organization.full.help")} />
    </Form>
  );
}
