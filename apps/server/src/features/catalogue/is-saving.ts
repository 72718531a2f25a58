import type { Recipe } from "@terrarium/contract";

/** Whether somebody saves a device into a recipe or an image. */
export const isSaving = ({ status }: Pick<Recipe, "status">): boolean => status === "CREATING" || status === "UPDATING";
