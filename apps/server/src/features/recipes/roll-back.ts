import type { Clock } from "@terrarium/clock";
import { AppError, type Recipe } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { checkMayEdit } from "../catalogue/owned.ts";
import type { Actor } from "../sessions/actor.ts";
import { lockParts, restoreImage, restoreLayers } from "./roll-back.store.ts";
import { canRollBack, getRecipe, presentRecipe } from "./recipes.ts";

export interface RollBackDeps {
  db: Database;
  clock: Clock;
  runtimes: ReadonlySet<string>;
}

/**
 * Brings back the state of a recipe from before the last save: the former layers of its image, or its former image if the save gave it a
 * new one, which then stays among the images. Running devices are not affected.
 */
export function rollBackRecipe({ db, clock, runtimes }: RollBackDeps, actor: Actor, uuid: string): Promise<Recipe> {
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    await lockParts(trx, uuid);
    const recipe = await getRecipe(trx, actor, uuid);
    checkMayEdit("recipes", actor, recipe);
    if ([recipe.status, recipe.os_image.status].some((status) => status === "UPDATING" || status === "CREATING"))
      throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
    if (!canRollBack(recipe)) throw new AppError("RECIPE_NOT_SAVED_BEFORE");
    if (recipe.os_image.previous_layers) await restoreLayers(trx, recipe.os_image.uuid, now);
    else await restoreImage(trx, uuid, now);
    return presentRecipe(await getRecipe(trx, actor, uuid), runtimes);
  });
}
