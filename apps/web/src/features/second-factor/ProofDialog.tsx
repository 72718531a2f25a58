import { Box, Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";

interface Props {
  title: string;
  /** What it is for. */
  text: string;
  submit: string;
  isDestructive?: boolean;
  /** Without a password if the account has none. */
  send: (password: string | undefined) => Promise<unknown>;
  onClose: () => void;
}

/** Asks for the password before how one signs in changes. Who has none must have signed in just now. */
export function ProofDialog({ title, text, submit, isDestructive = false, send, onClose }: Props) {
  const { t } = useTranslation();
  const { uuid, email } = useMe();
  const hasPassword = useQuery(identitiesOf(uuid)).data?.has_password ?? true;
  const form = useAppForm({
    initial: { password: "" },
    rules: { password: hasPassword ? [required] : [] },
    send: ({ password }) => send(hasPassword ? password : undefined),
    refusalOf(code) {
      if (code === "WRONG_PASSWORD") return { field: "password", says: t("secondFactor.proof.wrong") };
      if (code === "SIGN_IN_AGAIN") return t("secondFactor.proof.again");
      if (code === "LAST_SECOND_FACTOR") return t("secondFactor.proof.last");
      if (code === "TOO_MANY_REQUESTS") return t("secondFactor.errors.tooMany");
      const hasChanged = code === "SECOND_FACTOR_EXISTS" || code === "SECOND_FACTOR_MISSING";
      return t(hasChanged ? "secondFactor.proof.changed" : "secondFactor.proof.failed");
    },
  });
  return (
    <AppDialog
      title={title}
      onClose={onClose}
      dismiss={t("common.cancel")}
      actions={
        <SubmitButton form={form} busy={t("secondFactor.proof.busy")} color={isDestructive ? "error" : "primary"}>
          {submit}
        </SubmitButton>
      }
    >
      <Box sx={{ display: "grid", gap: 4 }}>
        <Typography color="textSecondary">{text}</Typography>
        {!hasPassword && <Typography color="textSecondary">{t("secondFactor.proof.none")}</Typography>}
        <Form form={form} takesFocus={hasPassword}>
          <input hidden readOnly autoComplete="username" value={email} />
          {hasPassword && (
            <PasswordField
              form={form}
              name="password"
              label={t("secondFactor.proof.password")}
              autoComplete="current-password"
              keepsRoom
            />
          )}
        </Form>
      </Box>
    </AppDialog>
  );
}
