import { limits, type Organization } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { editOrganization } from "../../shared/organizations.queries.ts";
import { SaveButton } from "../../shared/SaveButton.tsx";
import { originRules, originsOf } from "./origins.ts";
import { OriginsField } from "./OriginsField.tsx";

/** Which pages of others may show devices, by links that their owners make. */
export function EmbedOrigins({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const form = useAppForm({
    initial: { origins: organization.preferences.embed_origins.join("\n") },
    rules: { origins: originRules(t, limits.embedOrigins) },
    async send({ origins }) {
      await editOrganization(organization, { preferences: { embed_origins: originsOf(origins) } });
      snack("success", t("organization.embedding.done"));
    },
    refusalOf: () => t("organization.failed"),
  });
  return (
    <Form form={form} submit={<SaveButton form={form} />}>
      <OriginsField form={form} help={t("organization.embedding.help")} />
    </Form>
  );
}
