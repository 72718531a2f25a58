import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Recipe } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { rollBackRecipe } from "./recipe-changes.queries.ts";

/** Asks before a recipe goes back to what it was before its last save. */
export function RollBackDialog({ recipe, onClose }: { recipe: Recipe; onClose: () => void }) {
  const { t } = useTranslation();
  const { mutate } = useMutation(rollBackRecipe);
  return (
    <ConfirmDialog
      isDestructive
      title={t("recipes.rollBackDialog.title", recipe)}
      confirm={t("recipes.rollBackDialog.confirm")}
      onClose={onClose}
      onConfirm={() => {
        onClose();
        mutate(recipe);
      }}
    >
      <Typography color="textSecondary">{t("recipes.rollBackDialog.help")}</Typography>
    </ConfirmDialog>
  );
}
