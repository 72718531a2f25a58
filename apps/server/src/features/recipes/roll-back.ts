import { AppError, type Recipe } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { checkMayEdit } from "../catalogue/owned.ts";
import type { OsImageDeps } from "../os-images/os-images.ts";
import type { Actor } from "../sessions/actor.ts";
import { lockParts, restoreImage, restoreLayers } from "./roll-back.store.ts";
import { presentRecipe } from "./present-recipe.ts";
import { canRollBack, getRecipe, isBeingSaved, type RecipeDeps } from "./recipes.ts";

/**
 * Brings back the state of a recipe from before the last save: the former layers of its image, or its former image if the save gave it a
 * new one, which then stays among the images. Running devices are not affected.
 */
export function rollBackRecipe(deps: RecipeDeps & OsImageDeps, actor: Actor, uuid: string): Promise<Recipe> {
  const now = new Date(deps.clock.now());
  return transaction(deps.db, async (trx) => {
    await lockParts(trx, uuid);
    const recipe = await getRecipe(trx, actor, uuid);
    checkMayEdit("recipes", actor, recipe);
    if (isBeingSaved(recipe)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
    if (!canRollBack(recipe)) throw new AppError("RECIPE_NOT_SAVED_BEFORE");
    if (recipe.os_image?.previous_layers) await restoreLayers(trx, recipe.os_image.uuid, now);
    else await restoreImage(trx, uuid, now);
    return presentRecipe({ ...deps, db: trx }, actor, await getRecipe(trx, actor, uuid));
  });
}
