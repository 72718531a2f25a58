import { limits, origin, type SignInRules } from "@terrarium/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Broken } from "../../components/form/app-form.ts";
import { Form } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { client } from "../../session/client.ts";
import { RuleDialog } from "./RuleDialog.tsx";
import { SaveButton } from "../../shared/SaveButton.tsx";

/** One on each line; a slash at the end, which the address bar of a browser adds, is no part of it. */
const originsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\s+/)
      .filter(Boolean)
      .map((line) => (line.startsWith("https://") ? line.toLowerCase().replace(/\/$/, "") : line)),
  ),
];

/** Which other pages may sign members in. */
export function AllowedOrigins({ uuid, rules }: { uuid: string; rules: SignInRules }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<string[]>();
  const tooMany = (text: string): Broken | undefined =>
    originsOf(text).length > limits.allowedOrigins
      ? { message: t("organization.rules.origins.tooMany", { count: limits.allowedOrigins }) }
      : undefined;
  const form = useAppForm({
    initial: { origins: rules.allowed_origins.join("\n") },
    rules: { origins: [tooMany, (text) => originsOf(text).map(origin).find(Boolean)] },
    send: async ({ origins }) => setAsked(originsOf(origins)),
    refusalOf: () => t("organization.failed"),
  });
  return (
    <>
      <Form form={form} submit={<SaveButton form={form} />}>
        <TextField
          form={form}
          name="origins"
          label={t("organization.rules.origins.label")}
          help={t("organization.rules.origins.help")}
          multiline
          minRows={2}
          maxRows={10}
        />
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
