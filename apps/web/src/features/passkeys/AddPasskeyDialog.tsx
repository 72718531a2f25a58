import { Typography } from "@mui/material";
import { useQuery } from "@tanstack/react-query";
import { limits, maxLength, required, visible } from "@terrarium/contract";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { PasswordField } from "../../components/form/PasswordField.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { client, queryClient } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { identitiesOf } from "../../shared/identities.queries.ts";
import { makePasskey, troubleOf } from "./browser-passkeys.ts";
import { proofRefusalKey } from "./refusal.ts";

/** Asks for the password, if there is one, and a name, and then has the browser make a passkey. */
export function AddPasskeyDialog({ suggested, onClose }: { suggested: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { uuid, email } = useMe();
  const hasPassword = useQuery(identitiesOf(uuid)).data?.has_password ?? true;
  /** What the browser has said, which is no refusal of the service. */
  const trouble = useRef<ReturnType<typeof troubleOf>>(undefined);
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const form = useAppForm({
    initial: { name: suggested, password: "" },
    rules: { name: [required, maxLength(limits.textLength), visible], password: hasPassword ? [required] : [] },
    async send({ name, password }) {
      trouble.current = undefined;
      const { signal } = (sending.current = new AbortController());
      const params = { uuid };
      const options = await client.passkeys.addOptions({ params, body: hasPassword ? { password } : {} }, { signal });
      const credential = await makePasskey(options, signal).catch((error: unknown) => {
        trouble.current = troubleOf(error);
        throw error;
      });
      await client.passkeys.add({ params, body: { name: name.trim(), credential } });
      void queryClient.invalidateQueries({ queryKey: ["passkeys"] });
      snack("success", t("passkeys.add.done", { name: name.trim() }));
      if (!signal.aborted) onClose();
    },
    refusalOf: (code) => {
      if (trouble.current) return t(`passkeys.add.${trouble.current}`);
      const says = proofRefusalKey(code);
      if (says) return hasPassword ? { field: "password", says: t(says) } : t(says);
      if (code === "PASSKEY_EXISTS") return t("passkeys.add.known");
      if (code === "PASSKEY_REFUSED") return t("passkeys.add.refused");
      return t(code === "TOO_MANY_PASSKEYS" ? "passkeys.add.tooMany" : "passkeys.add.failed");
    },
  });
  return (
    <AppDialog
      title={t("passkeys.add.title")}
      onClose={onClose}
      dismiss={t("common.cancel")}
      actions={
        <SubmitButton form={form} busy={t("passkeys.add.busy")}>
          {t("passkeys.add.submit")}
        </SubmitButton>
      }
    >
      <Typography color="textSecondary" sx={{ mb: 4 }}>
        {t("passkeys.add.help")}
      </Typography>
      <Form form={form} takesFocus>
        <TextField
          form={form}
          name="name"
          label={t("passkeys.name")}
          help={t("passkeys.nameHelp")}
          max={limits.textLength}
          autoComplete="off"
        />
        <input hidden readOnly autoComplete="username" value={email} />
        {hasPassword && (
          <PasswordField form={form} name="password" label={t("passkeys.password")} autoComplete="current-password" />
        )}
      </Form>
    </AppDialog>
  );
}
