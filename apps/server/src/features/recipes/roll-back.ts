import { AppError } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { checkFit, getRecipe, isBeingSaved, type RecipeDeps } from "./recipes.ts";
import { checkRecipe } from "./recipe-rights.ts";
import type { RecipeRow } from "./recipes.store.ts";
import { lockParts, restoreImage, restoreLayers } from "./roll-back.store.ts";

/** Whether a recipe has a state from before its last save, and nothing is being saved into it. */
export const canRollBack = (recipe: RecipeRow): boolean => !isBeingSaved(recipe) && formerOf(recipe) !== undefined;

/** What the last save has replaced. The state of somebody else's image is not changed through a recipe that only uses it. */
function formerOf({ owner_uuid, os_image: image, previous_os_image_uuid }: RecipeRow): "layers" | "image" | undefined {
  if (image?.has_previous_layers && image.owner_uuid === owner_uuid) return "layers";
  return previous_os_image_uuid === null ? undefined : "image";
}

/**
 * Brings back the state of a recipe from before the last save: the former layers of its image, or its former image if the save gave it a
 * new one, which then stays among the images. Running devices are not affected.
 * @throws RECIPE_NOT_FOUND, RECIPE_NOT_ALLOWED, RECIPE_MUST_NOT_BE_SAVING, RECIPE_NOT_SAVED_BEFORE, FORM_FACTOR_MISMATCH
 */
export function rollBackRecipe(
  { db, clock, audit }: RecipeDeps,
  actor: Actor,
  uuid: string,
  by: By,
): Promise<RecipeRow> {
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    await lockParts(trx, uuid);
    const recipe = await getRecipe(trx, actor, uuid);
    checkRecipe(actor, "roll_back", recipe);
    if (isBeingSaved(recipe)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
    const former = formerOf(recipe);
    if (!former) throw new AppError("RECIPE_NOT_SAVED_BEFORE");
    if (former === "image") await restoreImage(trx, uuid, now);
    else if (recipe.os_image) await restoreLayers(trx, recipe.os_image.uuid, now);
    await audit.record(trx, by, { action: "recipe.roll_back", subject: { kind: "recipe", uuid } });
    const restored = await getRecipe(trx, actor, uuid);
    // Its hardware profile may be another by now.
    checkFit(restored);
    return restored;
  });
}
