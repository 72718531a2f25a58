import "../../en/recipes-page.ts";
import type { Recipe, recipes, Sent } from "@terrarium/contract";
import { AppError } from "@terrarium/sdk";
import { mutation } from "../../components/mutation.ts";
import { client } from "../../session/client.ts";

type RecipeBody = Sent<typeof recipes.create>["body"];
type EditBody = Sent<typeof recipes.edit>["body"];

/** Recipes are counted by their parts. */
const invalidates = () => [["recipes"], ["hardware-profiles"], ["os-images"]];

/** The form says what was refused. */
export const createRecipe = mutation({
  mutationKey: ["recipes", "create"],
  mutationFn: (body: RecipeBody) => client.recipes.create({ body }),
  invalidates,
  says: (t, { name }) => t("recipes.createSuccess", { name }),
});

/** There is no call of its own for it: the copy is created. */
export const duplicateRecipe = mutation({
  mutationKey: ["recipes", "duplicate"],
  mutationFn: (body: RecipeBody) => client.recipes.create({ body }),
  invalidates,
  says: (t, { name }) => t("recipes.duplicateSuccess", { name }),
});

export const editRecipe = mutation({
  mutationKey: ["recipes", "edit"],
  mutationFn: ({ uuid, body }: { uuid: string; body: EditBody }) => client.recipes.edit({ params: { uuid }, body }),
  invalidates,
  says: (t, { name }) => t("recipes.editSuccess", { name }),
});

export interface DeleteAsk {
  recipe: Recipe;
  delete_hardware_profile: boolean;
  delete_os_image: boolean;
}

const isGone = (error: unknown): boolean => error instanceof AppError && error.code === "RECIPE_NOT_FOUND";

/** Deletes a recipe. One that is gone already was what was wanted. */
export const deleteRecipe = mutation({
  mutationKey: ["recipes", "delete"],
  mutationFn: async ({ recipe: { uuid }, ...body }: DeleteAsk) => {
    try {
      await client.recipes.delete({ params: { uuid }, body });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  },
  invalidates,
  says: (t, _, { recipe: { name } }) => t("recipes.deleteSuccess", { name }),
});

/** Brings back what a recipe was before it was last saved. */
export const rollBackRecipe = mutation({
  mutationKey: ["recipes", "roll-back"],
  mutationFn: ({ uuid }: Recipe) => client.recipes.rollBack({ params: { uuid } }),
  invalidates,
  says: (t, { name }) => t("recipes.restoreOSImageSuccess", { name }),
  refuses: (t, error) =>
    error instanceof AppError && error.code === "RECIPE_MUST_NOT_BE_SAVING"
      ? t("recipes.savingRecipe")
      : t("errors.restoreRecipeOSImage"),
});
