import { useMutation } from "@tanstack/react-query";
import { limits, type ListedUser, maxLength, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { editUser } from "./users.queries.ts";

const rules = [maxLength(limits.textLength), visible];

/** Changes somebody's names. */
export function EditUserDialog({ user, onClose }: { user: ListedUser; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: edit } = useMutation(editUser);
  const { email, first_name, last_name } = user;
  const form = useAppForm({
    initial: { first_name, last_name },
    rules: { first_name: rules, last_name: rules },
    async send(change) {
      await edit({ users: [user], change });
      onClose();
    },
    // The mutation says it in a line below, and what was typed stays.
    refusalOf: () => "",
  });
  return (
    <FormDialog
      title={t("users.editDialog.title", { email })}
      form={form}
      submit={t("users.editDialog.save")}
      busy={t("users.editDialog.busy")}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="first_name"
        label={t("users.editDialog.first")}
        max={limits.textLength}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="last_name"
        label={t("users.editDialog.last")}
        max={limits.textLength}
        autoComplete="off"
      />
    </FormDialog>
  );
}
