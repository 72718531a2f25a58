import { limits, type SignInRules } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Form } from "../../components/form/Form.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { originRules, originsOf } from "./origins.ts";
import { OriginsField } from "./OriginsField.tsx";
import { RuleDialog } from "./RuleDialog.tsx";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** Which other pages may sign members in. */
export function AllowedOrigins({ uuid, rules }: { uuid: string; rules: SignInRules }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<string[]>();
  const form = useAppForm({
    initial: { origins: rules.allowed_origins.join("\n") },
    rules: { origins: originRules(t, limits.allowedOrigins) },
    send: async ({ origins }) => setAsked(originsOf(origins)),
    refusalOf: () => t("organization.failed"),
  });
  return (
    <>
      <Form form={form} submit={<SaveButton form={form} />}>
        <OriginsField form={form} help={t("organization.rules.origins.help")} />
      </Form>
      {asked && (
        <RuleDialog
          text={t("organization.rules.origins.confirm", { count: asked.length, origins: asked.join(", ") })}
          send={(proof) => client.signInRules.set({ params: { uuid }, body: { ...proof, allowed_origins: asked } })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
