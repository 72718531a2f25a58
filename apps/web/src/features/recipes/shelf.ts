import type { CompleteRecipe, Recipe } from "@terrarium/contract";
import { shapeOf } from "../../shared/FormFactorTile.tsx";
import { whyNotStartable } from "./recipe-state.ts";

const PLACES = 6;

/** What stands on the shelf: what was started lately, then a recipe of each shape that is not there yet; only what can start. */
export function shelfOf(
  recent: readonly (Recipe | undefined)[],
  ofEachShape: readonly (Recipe | undefined)[],
): CompleteRecipe[] {
  const canStart = (recipe: Recipe | undefined): recipe is CompleteRecipe =>
    recipe !== undefined && whyNotStartable(recipe) === undefined;
  const known = recent.filter(canStart);
  const shapes = known.map((recipe) => shapeOf(recipe.hardware_profile));
  const others = ofEachShape.filter(canStart).filter((recipe) => !shapes.includes(shapeOf(recipe.hardware_profile)));
  return [...known, ...others].slice(0, PLACES);
}
