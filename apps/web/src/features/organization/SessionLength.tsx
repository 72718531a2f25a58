import { type SignInRules, sessionHoursOptions } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { RuleDialog } from "./RuleDialog.tsx";
import { SaveButton } from "../../shared/SaveButton.tsx";

type Hours = (typeof sessionHoursOptions)[number];

/** After how long members sign in again. */
export function SessionLength({ uuid, rules }: { uuid: string; rules: SignInRules }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Hours>();
  const sayHours = (hours: number) =>
    hours < 24 ? t("common.hours", { count: hours }) : t("organization.rules.length.days", { count: hours / 24 });
  const form = useAppForm({
    initial: { session_hours: rules.session_hours },
    send: async ({ session_hours }) => setAsked(session_hours as Hours),
    refusalOf: () => t("organization.failed"),
  });
  return (
    <>
      <Form form={form} submit={<SaveButton form={form} />}>
        <SelectField
          form={form}
          name="session_hours"
          label={t("organization.rules.length.label")}
          help={t("organization.rules.length.help")}
          choices={sessionHoursOptions.map((hours) => ({ value: hours, label: sayHours(hours) }))}
        />
      </Form>
      {asked !== undefined && (
        <RuleDialog
          text={t(
            asked < rules.session_hours ? "organization.rules.length.shorter" : "organization.rules.length.longer",
            {
              length: sayHours(asked),
            },
          )}
          send={(proof) => client.signInRules.set({ params: { uuid }, body: { ...proof, session_hours: asked } })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
