import type { Organization } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { Form } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { RuleDialog } from "./RuleDialog.tsx";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** Whether members need more than their password. */
export function RequireSecondFactor({ organization }: { organization: Organization }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ is_required: boolean }>();
  const form = useAppForm({
    initial: { is_required: organization.requires_second_factor },
    send: async (values) => setAsked(values),
    refusalOf: () => t("organization.failed"),
  });
  return (
    <>
      <Form form={form} submit={<SaveButton form={form} />}>
        <CheckboxField
          form={form}
          name="is_required"
          label={t("organization.rules.secondFactor.label")}
          help={t("organization.rules.secondFactor.help")}
        />
      </Form>
      {asked && (
        <RuleDialog
          text={t(asked.is_required ? "organization.rules.secondFactor.on" : "organization.rules.secondFactor.off")}
          send={(proof) =>
            client.organizations.requireSecondFactor({
              params: { uuid: organization.uuid },
              body: { ...proof, ...asked },
            })
          }
          refusalOf={(code) =>
            code === "SECOND_FACTOR_MISSING" ? t("organization.rules.secondFactor.missing") : undefined
          }
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
