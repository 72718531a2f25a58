import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { OsImage } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { useAppForm } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { deleteOsImage, refusalOf } from "./os-images.queries.ts";

interface Props {
  image: OsImage;
  onClose: () => void;
}

/** Says what will happen to its recipes before it is deleted. */
export function DeleteImageDialog({ image, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: remove } = useMutation(deleteOsImage);
  const { name, recipe_count: count } = image;
  const form = useAppForm({
    initial: {},
    send: async () => {
      await remove(image);
      onClose();
    },
    refusalOf: (code) => refusalOf(t, code, "deleteOSImage"),
  });
  return (
    <FormDialog
      isDestructive
      title={t("osImages.deleteDialog.title", { name })}
      form={form}
      submit={t("osImages.deleteDialog.confirm")}
      busy={t("osImages.deleteDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">
        {t(count === 0 ? "osImages.deleteDialog.unused" : "osImages.deleteDialog.used", { count })}
      </Typography>
      <Typography color="textSecondary">{t("osImages.deleteDialog.running")}</Typography>
    </FormDialog>
  );
}
