import type { Recipe } from "./recipe.ts";

/** A recipe that has both its parts. */
export type CompleteRecipe = {
  [Key in keyof Recipe]: Key extends "arch" | "hardware_profile" | "os_image" ? NonNullable<Recipe[Key]> : Recipe[Key];
};

/** A recipe is incomplete when its hardware profile or its OS image was deleted. */
export const isComplete = (recipe: Recipe): recipe is CompleteRecipe =>
  recipe.hardware_profile !== null && recipe.os_image !== null;
