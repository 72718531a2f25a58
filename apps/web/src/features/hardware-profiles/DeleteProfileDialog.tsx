import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { HardwareProfile } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useAppForm } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { deleteHardwareProfile, refusalOf } from "./hardware-profiles.queries.ts";

interface Props {
  profile: HardwareProfile;
  onClose: () => void;
}

/** Says what will happen to its recipes before it is deleted. */
export function DeleteProfileDialog({ profile, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: remove } = useMutation(deleteHardwareProfile);
  const { name, recipe_count: count } = profile;
  const form = useAppForm({
    initial: {},
    send: async () => {
      await remove(profile);
      onClose();
    },
    refusalOf: (code) => refusalOf(t, code, "deleteHardwareProfile"),
  });
  return (
    <FormDialog
      isDestructive
      title={t("hardwareProfiles.deleteDialog.title", { name })}
      form={form}
      submit={t("hardwareProfiles.deleteDialog.confirm")}
      busy={t("hardwareProfiles.deleteDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t(count === 0 ? "hardwareProfiles.deleteDialog.unused" : "hardwareProfiles.deleteDialog.used", { count })}
      </Typography>
      <Typography color="textSecondary">{t("hardwareProfiles.deleteDialog.running")}</Typography>
    </FormDialog>
  );
}
