import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import { copyOf, limits, maxLength, type OsImage, required, visible } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/form/TextField.tsx";
import { useAppForm } from "../../components/form/use-form.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { duplicateOsImage, editOsImage, refusalOf } from "./os-images.queries.ts";

interface Props {
  what: "edit" | "duplicate";
  image: OsImage;
  onClose: () => void;
}

/** Asks for the name of an image, or for that of its copy. */
export function NameDialog({ what, image: { uuid, name }, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync: send } = useMutation(what === "edit" ? editOsImage : duplicateOsImage);
  const form = useAppForm({
    initial: { name: what === "edit" ? name : copyOf(name) },
    rules: { name: [required, maxLength(limits.textLength), visible] },
    send: async (typed) => {
      await send({ uuid, name: typed.name.trim() });
      onClose();
    },
    refusalOf: (code) => refusalOf(t, code, `${what}OSImage`),
  });
  return (
    <FormDialog
      title={t(`osImages.form.${what}.title`, { name })}
      form={form}
      submit={t(`osImages.form.${what}.submit`)}
      busy={t(`osImages.form.${what}.busy`)}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t("osImages.form.name")}
        max={limits.textLength}
        countsDown
        autoComplete="off"
      />
      {what === "duplicate" && (
        <Typography variant="body2" color="textSecondary">
          {t("osImages.form.duplicateHelp")}
        </Typography>
      )}
    </FormDialog>
  );
}
