import { Typography } from "@mui/material";
import { useMutation } from "@tanstack/react-query";
import type { Person, Recipe } from "@terrarium/contract";
import { useTranslation } from "react-i18next";
import { CheckboxField } from "../../components/form/CheckboxField.tsx";
import { useAppForm, useValues } from "../../components/form/use-form.ts";
import { nameOf } from "../../components/PersonMark.tsx";
import type { Me } from "../../session/user.ts";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { mayEdit } from "../../shared/catalogue/may-edit.ts";
import { deleteRecipe } from "./recipe-changes.queries.ts";

interface Props {
  recipe: Recipe;
  me: Me;
  onClose: () => void;
}

/** Asks before a recipe is deleted, and whether its parts go with it. A part that others need stays, and it says so. */
export function DeleteRecipeDialog({ recipe, me, onClose }: Props) {
  const { t } = useTranslation();
  const { mutateAsync } = useMutation(deleteRecipe);
  const profile = usePart(recipe.hardware_profile, me);
  const image = usePart(recipe.os_image, me);
  const form = useAppForm({
    initial: { delete_hardware_profile: false, delete_os_image: false },
    send: async ({ delete_hardware_profile, delete_os_image }) => {
      await mutateAsync({
        recipe,
        // What was offered may have changed since: the service is asked for what can be chosen now.
        delete_hardware_profile: delete_hardware_profile && profile.stays === undefined,
        delete_os_image: delete_os_image && image.stays === undefined,
      });
      onClose();
    },
    refusalOf: (code) => {
      switch (code) {
        case "HARDWARE_PROFILE_IN_USE":
          return { field: "delete_hardware_profile", says: t("errors.recipePartInUse") };
        case "OS_IMAGE_IN_USE":
          return { field: "delete_os_image", says: t("errors.recipePartInUse") };
        case "RECIPE_MUST_NOT_BE_SAVING":
          return t("recipes.savingRecipe");
        case "RECIPE_NOT_ALLOWED":
          return t("errors.recipeNotAllowed");
        default:
          return t("errors.deleteRecipe");
      }
    },
  });
  const values = useValues(form);
  const count = Number(values.delete_hardware_profile) + Number(values.delete_os_image);
  return (
    <FormDialog
      isDestructive
      title={t("recipes.deleteDialog.title", recipe)}
      form={form}
      submit={count > 0 ? t("recipes.deleteDialog.submitWithParts", { count }) : t("recipes.deleteDialog.submit")}
      busy={t("recipes.deleteDialog.busy")}
      onClose={onClose}
    >
      <Typography color="textSecondary">{t("recipes.deleteDialog.help")}</Typography>
      <CheckboxField
        form={form}
        name="delete_hardware_profile"
        label={t("recipes.deleteDialog.profile", { name: profile.name })}
        {...(profile.stays !== undefined && { help: profile.stays })}
        isDisabled={profile.stays !== undefined}
      />
      <CheckboxField
        form={form}
        name="delete_os_image"
        label={t("recipes.deleteDialog.image", { name: image.name })}
        {...(image.stays !== undefined && { help: image.stays })}
        isDisabled={image.stays !== undefined}
      />
    </FormDialog>
  );
}

interface Part {
  name: string;
  is_official: boolean;
  owner: Person | null;
  recipe_count: number;
}

/** The name of a part, and why it cannot be deleted with the recipe, if so. */
function usePart(part: Part | null, me: Me): { name: string; stays: string | undefined } {
  const { t } = useTranslation();
  const why = (): string | undefined => {
    if (!part) return t("recipes.deleteDialog.isLost");
    if (part.is_official) return t("recipes.deleteDialog.isOfficial");
    if (part.recipe_count > 1) return t("recipes.deleteDialog.isUsed", { count: part.recipe_count - 1 });
    if (!mayEdit(me, part)) return t("recipes.deleteDialog.isOthers", { name: part.owner ? nameOf(part.owner) : "" });
    return undefined;
  };
  return { name: part?.name ?? t("common.none"), stays: why() };
}
