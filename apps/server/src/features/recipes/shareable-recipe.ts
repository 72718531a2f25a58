export { findRecipe, lockRecipe, type RecipeRow } from "./recipes.store.ts";
