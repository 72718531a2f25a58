import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { createApiToken } from "./api-tokens.queries.ts";
import type { NewToken } from "./TokenSecretDialog.tsx";

interface Props {
  onClose: () => void;
  onCreated: (token: NewToken) => void;
}

/** Asks what a new token is for. */
export function CreateTokenDialog({ onClose, onCreated }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: create } = useMutation(createApiToken);
  const form = useAppForm({
    initial: { description: "" },
    rules: { description: [required, maxLength(limits.textLength)] },
    send: async ({ description }) => onCreated(await create(description.trim())),
    refusalOf: (code) => {
      if (code === "API_TOKEN_EXISTS") return { field: "description", says: t("errors.apiTokenExists") };
      return t(code === "TOO_MANY_API_TOKENS" ? "errors.tooManyApiTokens" : "errors.createApiToken");
    },
  });
  return (
    <AppDialog
      title={t("apiTokens.createDialog.title")}
      onClose={onClose}
      dismiss={t("common.cancel")}
      actions={
        <SubmitButton form={form} busy={t("apiTokens.createDialog.busy")}>
          {t("apiTokens.createDialog.submit")}
        </SubmitButton>
      }
    >
      <Form form={form} takesFocus>
        <TextField
          form={form}
          name="description"
          label={t("apiTokens.createDialog.description")}
          help={t("apiTokens.createDialog.help")}
          max={limits.textLength}
          autoComplete="off"
        />
      </Form>
    </AppDialog>
  );
}
