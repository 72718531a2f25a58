import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, required, type Scope, scopes } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ChoiceField } from "../../components/form/ChoiceField.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { SelectField } from "../../components/form/SelectField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { serviceNow } from "../../components/service-time.ts";
import { createApiToken } from "./api-tokens.queries.ts";
import type { NewToken } from "./TokenSecretDialog.tsx";

const initialScope: Scope = "devices";
const DAY_MS = 24 * 60 * 60 * 1000;

interface Props {
  onClose: () => void;
  onCreated: (token: NewToken) => void;
}

/** Asks what a new token is for, what it may do and until when. */
export function CreateTokenDialog({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: create } = useMutation(createApiToken);
  const form = useAppForm({
    initial: { description: "", scope: initialScope, days: 90 },
    rules: { description: [required, maxLength(limits.textLength)] },
    send: async ({ description, scope, days }) => {
      const expires_at = days === 0 ? null : new Date(serviceNow() + days * DAY_MS).toISOString();
      onCreated(await create({ description: description.trim(), scope, expires_at }));
    },
    refusalOf: (code) => {
      if (code === "API_TOKEN_EXISTS") return { field: "description", says: t("errors.apiTokenExists") };
      return t(code === "TOO_MANY_API_TOKENS" ? "errors.tooManyApiTokens" : "errors.createApiToken");
    },
  });
  const { scope } = useValues(form);
  return (
    <FormDialog
      title={t("apiTokens.createDialog.title")}
      form={form}
      submit={t("apiTokens.createDialog.submit")}
      busy={t("apiTokens.createDialog.busy")}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="description"
        label={t("apiTokens.createDialog.description")}
        help={t("apiTokens.createDialog.help")}
        max={limits.textLength}
        autoComplete="off"
      />
      <ChoiceField
        form={form}
        name="scope"
        label={t("apiTokens.createDialog.scope")}
        help={t(`apiTokens.createDialog.scopeHelp.${scope}`)}
        choices={scopes.map((value) => ({ value, label: t(`apiTokens.scopes.${value}`) }))}
      />
      <SelectField
        form={form}
        name="days"
        label={t("apiTokens.createDialog.expiry")}
        choices={[
          ...[30, 90].map((count) => ({ value: count, label: t("apiTokens.createDialog.expiries.days", { count }) })),
          { value: 365, label: t("apiTokens.createDialog.expiries.year") },
          { value: 0, label: t("apiTokens.createDialog.expiries.never") },
        ]}
      />
    </FormDialog>
  );
}
