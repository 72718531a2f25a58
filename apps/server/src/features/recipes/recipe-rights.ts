import { AppError, type RecipeAction, recipeActions, type RecipeRight } from "@terrarium/contract";
import { checkKnown, mayEdit, type Owned } from "../catalogue/owned.ts";
import type { Actor } from "../sessions/actor.ts";

/** Whose rights are asked for. */
export type RecipeUser = Pick<Actor, "uuid" | "organization" | "isManager">;

/** What the rights to a recipe that somebody may use follow from. */
export interface RecipeToUse extends Owned {
  is_shared_by_name: boolean;
  hardware_profile: { is_official: boolean } | null;
  os_image: { is_official: boolean } | null;
}

/** What somebody is to a recipe that they may use; nothing to an official one. */
export function rightTo(user: RecipeUser, recipe: RecipeToUse): RecipeRight | null {
  if (recipe.is_official) return null;
  if (user.organization === null) return "guest";
  if (recipe.owner_uuid === user.uuid && isOfTheirs(user, recipe)) return "owner";
  return recipe.is_shared_by_name ? "collaborator" : "organization";
}

const rights: Readonly<Record<RecipeRight | "manager", readonly RecipeAction[]>> = {
  owner: ["start", "edit", "share", "save", "roll_back", "delete"],
  /** Of the recipe's organization, whatever their right. */
  manager: ["start", "edit", "share", "roll_back", "delete"],
  collaborator: ["start", "edit", "share"],
  organization: ["start"],
  guest: ["start"],
};

/** What somebody may do with a recipe that they may use, in the order of `recipeActions`. */
export function actionsOn(user: RecipeUser, recipe: RecipeToUse): RecipeAction[] {
  const right = rightTo(user, recipe);
  const allowed = new Set<RecipeAction>(right === null ? ["start"] : rights[right]);
  if (mayEdit(user, recipe)) for (const action of rights.manager) allowed.add(action);
  if (mayDuplicate(user, recipe)) allowed.add("duplicate");
  return recipeActions.filter((action) => allowed.has(action));
}

/** A copy is made of the same parts, which the copier must be able to use. What another organization has made is not given away. */
const mayDuplicate = (user: RecipeUser, recipe: RecipeToUse): boolean =>
  user.organization !== null &&
  (isOfTheirs(user, recipe) || [recipe.hardware_profile, recipe.os_image].every((part) => part?.is_official));

const isOfTheirs = (user: RecipeUser, recipe: Owned): boolean => recipe.organization_uuid === user.organization;

/**
 * @throws RECIPE_NOT_FOUND for a recipe that was not found among those the user may use, RECIPE_SHARE_NOT_ALLOWED, or RECIPE_NOT_ALLOWED
 * for any other action
 */
export function checkRecipe<Row extends RecipeToUse>(
  user: RecipeUser,
  action: RecipeAction,
  recipe: Row | undefined,
): asserts recipe is Row {
  checkKnown("recipes", recipe);
  if (actionsOn(user, recipe).includes(action)) return;
  throw new AppError(action === "share" ? "RECIPE_SHARE_NOT_ALLOWED" : "RECIPE_NOT_ALLOWED");
}
