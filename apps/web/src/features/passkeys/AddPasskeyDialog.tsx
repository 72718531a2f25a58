import { Typography } from "@mui/material";
import { limits, maxLength, required, visible } from "@terrarium/contract";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AppDialog } from "../../components/AppDialog.tsx";
import { Form, SubmitButton } from "../../components/form/Form.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { snack } from "../../components/snack-queue.ts";
import { client, queryClient } from "../../session/client.ts";
import { useMe } from "../../session/user.ts";
import { makePasskey, troubleOf } from "../../shared/passkeys/browser-passkeys.ts";
import { ProofField } from "../../shared/proof/ProofField.tsx";
import { useProof } from "../../shared/proof/use-proof.ts";

interface Props {
  suggested: string;
  onClose: () => void;
  /** With recovery codes if it is the first second factor. They are shown only now. */
  onAdded: (codes: string[]) => void;
}

/** Asks for a name and the proof of who one is, and then has the browser make a passkey. */
export function AddPasskeyDialog({ suggested, onClose, onAdded }: Props) {
  const { t } = useTranslation();
  const { uuid } = useMe();
  const proof = useProof();
  /** What the browser has said, which is no refusal of the service. */
  const trouble = useRef<ReturnType<typeof troubleOf>>(undefined);
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  const form = useAppForm({
    initial: { name: suggested, password: "" },
    rules: { name: [required, maxLength(limits.textLength), visible], password: proof.rules },
    async send({ name, password }) {
      trouble.current = undefined;
      const { signal } = (sending.current = new AbortController());
      const params = { uuid };
      const options = await client.passkeys.addOptions({ params, body: proof.of(password) }, { signal });
      const credential = await makePasskey(options, signal).catch((error: unknown) => {
        trouble.current = troubleOf(error);
        throw error;
      });
      const { recovery_codes } = await client.passkeys.add({ params, body: { name: name.trim(), credential } });
      for (const key of ["passkeys", "second-factor"]) void queryClient.invalidateQueries({ queryKey: [key] });
      snack("success", t("passkeys.add.done", { name: name.trim() }));
      // Whoever has cancelled meanwhile still needs the codes.
      if (recovery_codes.length > 0 || !signal.aborted) onAdded(recovery_codes);
    },
    refusalOf: (code) => {
      if (trouble.current) return t(`passkeys.add.${trouble.current}`);
      const unproved = proof.refusalOf(code);
      if (unproved) return unproved;
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
        {t("passkeys.add.help")} {t("passkeys.add.counts")}
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
        <ProofField form={form} hasPassword={proof.hasPassword} />
      </Form>
    </AppDialog>
  );
}
