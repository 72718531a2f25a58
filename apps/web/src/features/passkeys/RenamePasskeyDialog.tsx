import { useMutation } from "@tanstack/react-query";
import { limits, maxLength, type Passkey, required, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { useMe } from "../../session/user.ts";
import { renamePasskey } from "./passkeys.queries.ts";

/** Asks what a passkey is to be called. */
export function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation();
  const { uuid: user } = useMe();
  const { mutateAsync: rename } = useMutation(renamePasskey);
  const form = useAppForm({
    initial: { name: passkey.name },
    rules: { name: [required, maxLength(limits.textLength), visible] },
    async send({ name }) {
      await rename({ user, passkey, name: name.trim() });
      onClose();
    },
    refusalOf: () => t("passkeys.rename.failed"),
  });
  return (
    <FormDialog
      title={t("passkeys.rename.title")}
      form={form}
      submit={t("passkeys.rename.submit")}
      busy={t("passkeys.rename.busy")}
      onClose={onClose}
    >
      <TextField form={form} name="name" label={t("passkeys.name")} max={limits.textLength} autoComplete="off" />
    </FormDialog>
  );
}
