import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useAppForm } from "../../components/form/use-form.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { groupRefusal } from "./group-refusal.ts";
import { type Members, removeUsers } from "./groups.queries.ts";

/** Asks before people are taken out of a group. */
export function RemoveUsersDialog({ group, users, onClose }: Members & { onClose: () => void }) {
  const { t } = useTranslation();
  const { mutateAsync: remove } = useMutation(removeUsers);
  const form = useAppForm({
    initial: {},
    send: async () => {
      await remove({ group, users });
      onClose();
    },
    refusalOf: (code) => groupRefusal(t, code, "removeGroupUsers"),
  });
  const [first] = users;
  return (
    <FormDialog
      isDestructive
      title={t("groups.removeDialog.title", {
        count: users.length,
        name: group.name,
        user: first ? nameOf(first) : "",
      })}
      form={form}
      submit={t("groups.removeDialog.confirm", { count: users.length })}
      busy={t("groups.removeDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">{t("groups.removeDialog.help")}</Typography>
    </FormDialog>
  );
}
