import { Button, Typography } from "@mui/material";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type Passkey, required } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { focusWhenShown } from "../../components/focus-when-shown.ts";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { isGone } from "../../shared/is-gone.ts";
import { removePasskey } from "./passkeys.queries.ts";
import { proofRefusalKey } from "./refusal.ts";

interface Props {
  passkey: Passkey;
  onClose: () => void;
  onRemoved: () => void;
}

/** Says what it means to remove a passkey, and asks for the password, if there is one. */
export function RemovePasskeyDialog({ passkey, onClose, onRemoved }: Props) {
  const { t } = useTranslation();
  const { uuid: user, email } = useMe();
  const hasPassword = useQuery(identitiesOf(user)).data?.has_password ?? true;
  const { mutateAsync: remove } = useMutation(removePasskey);
  const form = useAppForm({
    initial: { password: "" },
    rules: { password: hasPassword ? [required] : [] },
    async send({ password }) {
      await remove({ user, passkey, password: hasPassword ? password : undefined }).catch((error: unknown) => {
        // One that is gone already was what was wanted.
        if (!isGone(error)) throw error;
      });
      onRemoved();
    },
    refusalOf: (code) => {
      const says = proofRefusalKey(code);
      if (!says) return t("passkeys.remove.failed");
      return hasPassword ? { field: "password", says: t(says) } : t(says);
    },
  });
  return (
    <AppDialog
      title={t("passkeys.remove.title", passkey)}
      onClose={onClose}
      actions={
        <>
          <Button variant="text" onClick={onClose} ref={focusWhenShown}>
            {t("common.cancel")}
          </Button>
          <SubmitButton form={form} busy={t("passkeys.remove.busy")} color="error">
            {t("passkeys.remove.act")}
          </SubmitButton>
        </>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("passkeys.remove.help")}
      </Typography>
      <Form form={form}>
        <input hidden readOnly autoComplete="username" value={email} />
        {hasPassword && (
          <PasswordField form={form} name="password" label={t("passkeys.password")} autoComplete="current-password" />
        )}
      </Form>
    </AppDialog>
  );
}
