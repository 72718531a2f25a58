import { AppError, type EditRecipe, type RecipeBody } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { isSaving } from "../catalogue/is-saving.ts";
import { checkKnown, checkMayEdit, checkRevision, type Owned, type Reader } from "../catalogue/owned.ts";
import { getHardwareProfile } from "../hardware-profiles/hardware-profiles.ts";
import { findSupportedArch } from "../organizations/organizations.ts";
import { getOsImage } from "../os-images/os-images.ts";
import { checkRoom, lockLimits } from "../organizations/limits.ts";
import type { Actor } from "../sessions/actor.ts";
import { checkRecipe } from "./recipe-rights.ts";
import {
  deleteUnusedPart,
  deleteRecipeRow,
  findRecipe,
  holdParts,
  insertRecipe,
  lockRecipe,
  type RecipeRow,
  updateRecipe,
} from "./recipes.store.ts";
import type { FeatureDeps } from "../deps.ts";

export { findRecipe, lockRecipe, type RecipeRow } from "./recipes.store.ts";

export type RecipeDeps = FeatureDeps;

type Member = Actor & { organization: string };

/** A recipe that the reader may use; any other is unknown. */
export async function getRecipe(db: Database, reader: Reader, uuid: string): Promise<RecipeRow> {
  const recipe = await findRecipe(db, reader, uuid);
  checkKnown("recipes", recipe);
  return recipe;
}

export type CompleteRecipeRow = RecipeRow & { [Part in "hardware_profile" | "os_image"]: NonNullable<RecipeRow[Part]> };

/** As `getRecipe`, for whom both parts are needed. @throws RECIPE_NOT_FOUND, RECIPE_INCOMPLETE */
export async function getCompleteRecipe(db: Database, reader: Reader, uuid: string): Promise<CompleteRecipeRow> {
  const recipe = await getRecipe(db, reader, uuid);
  const { hardware_profile, os_image } = recipe;
  if (!hardware_profile || !os_image) throw new AppError("RECIPE_INCOMPLETE");
  return { ...recipe, hardware_profile, os_image };
}

/**
 * Creates a recipe of the actor's from two parts that they may use.
 * @throws TOO_MANY_RECIPES, HARDWARE_PROFILE_NOT_FOUND, OS_IMAGE_NOT_FOUND, FORM_FACTOR_MISMATCH, ARCH_NOT_SUPPORTED
 */
export function createRecipe(
  { db, clock, audit }: RecipeDeps,
  actor: Member,
  body: RecipeBody,
  by: By,
): Promise<RecipeRow> {
  const uuid = randomUUID();
  const now = new Date(clock.now());
  return transaction(db, async (trx) => {
    await checkRoom(trx, await lockLimits(trx, actor.organization), "recipes");
    await checkParts(trx, actor, actor.organization, body);
    await insertRecipe(trx, {
      ...body,
      uuid,
      status: "READY",
      is_official: false,
      owner_uuid: actor.uuid,
      organization_uuid: actor.organization,
      created_at: now,
      updated_at: now,
    });
    await audit.record(trx, by, { action: "recipe.create", subject: { kind: "recipe", uuid } });
    return getRecipe(trx, actor, uuid);
  });
}

/**
 * Changes a recipe; what is undefined stays. Devices that run keep what they were started with. Parts are only checked if one changes,
 * so that a recipe can be renamed whose architecture is no longer supported. With a `revision`, only that one is changed: nobody
 * overwrites what they have not seen. A collaborator from another organization can give it official parts only: those of their own would
 * be unknown to the recipe's organization, and the other way round.
 * @throws RECIPE_NOT_FOUND, RECIPE_NOT_ALLOWED, RECIPE_MUST_NOT_BE_SAVING, RECIPE_CHANGED, and as `createRecipe`
 */
export function editRecipe(
  { db, clock, audit }: RecipeDeps,
  actor: Member,
  uuid: string,
  { revision, ...body }: EditRecipe,
  by: By,
): Promise<RecipeRow> {
  return transaction(db, async (trx) => {
    const recipe = await lockFor("edit", trx, actor, uuid);
    checkRevision("recipes", recipe, revision);
    const parts = {
      hardware_profile_uuid: body.hardware_profile_uuid ?? recipe.hardware_profile_uuid,
      os_image_uuid: body.os_image_uuid ?? recipe.os_image_uuid,
    };
    const isChanged =
      parts.hardware_profile_uuid !== recipe.hardware_profile_uuid || parts.os_image_uuid !== recipe.os_image_uuid;
    if (isChanged) await checkParts(trx, actor, recipe.organization_uuid, parts, recipe);
    // Going back to before the last save is over with another image.
    const previous = parts.os_image_uuid === recipe.os_image_uuid ? {} : { previous_os_image_uuid: null };
    await updateRecipe(trx, uuid, { ...body, ...previous, updated_at: new Date(clock.now()) });
    const organization = recipe.organization_uuid;
    await audit.record(trx, by, { action: "recipe.edit", subject: { kind: "recipe", uuid }, organization });
    return getRecipe(trx, actor, uuid);
  });
}

/**
 * Deletes a recipe. Its parts are deleted too if asked for; official ones stay, as they are everybody's. Devices that run are not
 * affected.
 * @throws RECIPE_NOT_FOUND, RECIPE_NOT_ALLOWED, RECIPE_MUST_NOT_BE_SAVING; if a part cannot be deleted, nothing is:
 * HARDWARE_PROFILE_NOT_ALLOWED and OS_IMAGE_NOT_ALLOWED for a colleague's, HARDWARE_PROFILE_IN_USE and OS_IMAGE_IN_USE for a part of
 * another recipe
 */
export async function deleteRecipe(
  { db, audit }: RecipeDeps,
  actor: Member,
  uuid: string,
  asked: { delete_hardware_profile: boolean; delete_os_image: boolean },
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const { hardware_profile: profile, os_image: image } = await lockFor("delete", trx, actor, uuid);
    await deleteRecipeRow(trx, uuid);
    await audit.record(trx, by, { action: "recipe.delete", subject: { kind: "recipe", uuid } });
    if (asked.delete_hardware_profile && profile && !profile.is_official) {
      checkMayEdit("hardware_profiles", actor, profile);
      if (!(await deleteUnusedPart(trx, "hardware_profile", profile.uuid)))
        throw new AppError("HARDWARE_PROFILE_IN_USE");
      const subject = { kind: "hardware_profile", uuid: profile.uuid } as const;
      await audit.record(trx, by, { action: "hardware_profile.delete", subject });
    }
    if (asked.delete_os_image && image && !image.is_official) {
      checkMayEdit("os_images", actor, image);
      if (isSaving(image)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
      if (!(await deleteUnusedPart(trx, "os_image", image.uuid))) throw new AppError("OS_IMAGE_IN_USE");
      await audit.record(trx, by, { action: "os_image.delete", subject: { kind: "os_image", uuid: image.uuid } });
    }
  });
}

/** Whether the recipe or its OS image is being saved. */
export const isBeingSaved = (recipe: RecipeRow): boolean =>
  isSaving(recipe) || (recipe.os_image !== null && isSaving(recipe.os_image));

async function lockFor(action: "edit" | "delete", trx: Database, actor: Actor, uuid: string): Promise<RecipeRow> {
  const recipe = await lockRecipe(trx, actor, uuid);
  checkRecipe(actor, action, recipe);
  if (isSaving(recipe)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
  return recipe;
}

/** @throws FORM_FACTOR_MISMATCH if the image is not for such a device; a recipe that lost a part is incomplete instead */
export function checkFit({
  hardware_profile: profile,
  os_image: image,
}: Pick<RecipeRow, "hardware_profile" | "os_image">): void {
  if (profile && image && !image.form_factors.includes(profile.form_factor)) throw new AppError("FORM_FACTOR_MISMATCH");
}

type Parts = Pick<RecipeRow, "hardware_profile_uuid" | "os_image_uuid">;

/**
 * Whether this actor can make a recipe of the organization's of these parts. `before` is what it had. Nobody deletes them before the
 * transaction ends.
 */
async function checkParts(
  trx: Database,
  actor: Actor,
  organization: string | null,
  { hardware_profile_uuid, os_image_uuid }: Parts,
  before: Partial<Parts> = {},
): Promise<void> {
  if (hardware_profile_uuid === null) throw new AppError("HARDWARE_PROFILE_NOT_FOUND");
  if (os_image_uuid === null) throw new AppError("OS_IMAGE_NOT_FOUND");
  await holdParts(trx, { hardware_profile_uuid, os_image_uuid });
  const ofOrganization = { ...actor, organization };
  const isKnown = (part: Owned) => part.is_official || actor.organization === organization;
  const profile = await getHardwareProfile(trx, ofOrganization, hardware_profile_uuid);
  if (!isKnown(profile) && profile.uuid !== before.hardware_profile_uuid) checkKnown("hardware_profiles", undefined);
  const image = await getOsImage(trx, ofOrganization, os_image_uuid);
  if (!isKnown(image) && image.uuid !== before.os_image_uuid) checkKnown("os_images", undefined);
  if (isSaving(image)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
  checkFit({ hardware_profile: profile, os_image: image });
  if (!(await findSupportedArch(trx, organization)).includes(image.arch)) throw new AppError("ARCH_NOT_SUPPORTED");
}
