import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Group } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useAppForm } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { groupRefusal } from "./group-refusal.ts";
import { deleteGroup } from "./groups.queries.ts";

interface Props {
  group: Group;
  groups: readonly Group[];
  onClose: () => void;
  onDeleted: (group: Group) => void;
}

/** Says where the users and subgroups of a group go before it is deleted. */
export function DeleteGroupDialog({ group, groups, onClose, onDeleted }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: remove } = useMutation(deleteGroup);
  const form = useAppForm({
    initial: {},
    send: async () => {
      await remove(group);
      onDeleted(group);
      onClose();
    },
    refusalOf: (code) => groupRefusal(t, code, "deleteGroup"),
  });
  const parent = groups.find(({ uuid }) => uuid === group.parent_uuid);
  const target = (parent ?? groups.find(({ is_default }) => is_default))?.name ?? "";
  const subgroups = group.subgroups.length;
  return (
    <FormDialog
      isDestructive
      title={t("groups.deleteDialog.title", group)}
      form={form}
      submit={t("groups.deleteDialog.confirm")}
      busy={t("groups.deleteDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t("groups.deleteDialog.users", { count: group.user_count, target })}
      </Typography>
      {subgroups > 0 && (
        <Typography color="textSecondary">
          {t(parent ? "groups.deleteDialog.subgroups" : "groups.deleteDialog.subgroupsTop", {
            count: subgroups,
            target,
          })}
        </Typography>
      )}
      <Typography color="textSecondary">{t("groups.deleteDialog.running")}</Typography>
    </FormDialog>
  );
}
