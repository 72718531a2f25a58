import type { Clock } from "@terrarium/clock";
import { AppError, copyOf, type Recipe, type SaveInstance } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { checkRoomToSave } from "../layers/saved-size.ts";
import { checkRoom, lockLimits, type OrganizationRow } from "../organizations/limits.ts";
import type { OsImageDeps } from "../os-images/os-images.ts";
import { presentRecipe } from "../recipes/present-recipe.ts";
import { isSaving } from "../catalogue/is-saving.ts";
import { checkFit, getRecipe } from "../recipes/recipes.ts";
import type { Actor } from "../sessions/actor.ts";
import { once } from "./idempotency-keys.ts";
import { getInstance } from "./instances.ts";
import type { InstanceRow } from "./instances.store.ts";
import type { InstanceSaveColumn } from "./instances.tables.ts";
import { moveInstance } from "./move-instance.ts";
import {
  insertSavedImage,
  insertSavedRecipe,
  lockImage,
  lockOnline,
  lockRecipe,
  type RecipeToSave,
  setUpdating,
} from "./save-instance.store.ts";

export interface SaveDeps extends OsImageDeps {
  clock: Clock;
  audit: Audit;
}

export interface SaveRequest {
  instance: string;
  body: SaveInstance;
  idempotencyKey: string | undefined;
  by: By;
}

type Target = Pick<InstanceSaveColumn, "recipeUuid" | "osImageUuid">;

/**
 * Asks for a device to be saved: its recipe and image become UPDATING, or new ones are created, and the device moves to SAVING. Its gateway
 * does the rest (`saved-state.ts`). Rows are locked in this order: organization, device, recipe, image.
 * @returns the recipe that is saved into
 */
export function saveInstance(deps: SaveDeps, actor: Actor, request: SaveRequest): Promise<Recipe> {
  const now = new Date(deps.clock.now());
  const { idempotencyKey: key, instance: uuid, body } = request;
  const save = async (trx: Database): Promise<Recipe> => {
    const device = await getInstance({ db: trx }, actor, uuid, "save");
    const limits = await lockLimits(trx, actor.organization ?? device.organization_uuid);
    const recipe = await checkSave(trx, actor, device);
    await checkRoomToSave(trx, limits);
    const job = { trx, actor, device, recipe, limits, body, now };
    const target = await (body.action === "update" ? updateRecipe(job) : createRecipe(job));
    const save = { ...target, action: body.action, progress: 0 };
    await moveInstance(trx, { uuid, event: "save", now, actor: actor.uuid, save });
    await deps.audit.record(trx, request.by, {
      action: "instance.save",
      subject: { kind: "instance", uuid },
      organization: device.organization_uuid,
      details: { action: body.action, recipe: target.recipeUuid },
    });
    const saved = await getRecipe(trx, actor, target.recipeUuid);
    // The recipe may have been given another hardware profile since the device was started.
    checkFit(saved);
    return presentRecipe({ ...deps, db: trx }, actor, saved);
  };
  return transaction(deps.db, (trx) => once(trx, actor, { key, content: { save: uuid, body }, now }, () => save(trx)));
}

/** Locks a device and its recipe. Throws what is against saving it, whatever the action. */
async function checkSave(trx: Database, actor: Actor, device: InstanceRow): Promise<RecipeToSave> {
  if (!(await lockOnline(trx, device.uuid)))
    throw new AppError("INSTANCE_NOT_ONLINE", { facts: { state: device.state } });
  const recipe = device.recipe_uuid ? await lockRecipe(trx, device.recipe_uuid) : undefined;
  if (!recipe) throw new AppError("INSTANCE_HAS_NO_RECIPE");
  // What another organization shared may be used here, but not copied.
  if (!recipe.is_official && recipe.organization_uuid !== actor.organization)
    throw new AppError("INSTANCE_SAVE_NOT_ALLOWED");
  if (!device.can_save)
    throw new AppError("RUNTIME_CANNOT_SAVE", { facts: { runtime: device.snapshot.osImage.runtime } });
  return recipe;
}

interface SaveJob {
  trx: Database;
  actor: Actor;
  device: InstanceRow;
  recipe: RecipeToSave;
  limits: OrganizationRow;
  body: SaveInstance;
  now: Date;
}

/** Saves into the recipe: into its image, if the device was started from that and it is the actor's, otherwise into a new image. */
async function updateRecipe(job: SaveJob): Promise<Target> {
  const { trx, actor, device, recipe, now } = job;
  if (recipe.owner_uuid !== actor.uuid) throw new AppError("RECIPE_NOT_OWNED");
  checkNotSaving(recipe);
  const image = await lockImage(trx, device.snapshot.osImage.uuid);
  const isOwnImage = image?.uuid === recipe.os_image_uuid && image.owner_uuid === actor.uuid;
  if (isOwnImage) checkNotSaving(image);
  await setUpdating(trx, "recipes", recipe.uuid, now);
  if (!isOwnImage) return { recipeUuid: recipe.uuid, osImageUuid: await createImage(job) };
  await setUpdating(trx, "os_images", image.uuid, now);
  return { recipeUuid: recipe.uuid, osImageUuid: image.uuid };
}

async function createRecipe(job: SaveJob): Promise<Target> {
  const { trx, actor, device, recipe, limits, body, now } = job;
  await checkRoom(trx, limits, "recipes");
  const osImageUuid = await createImage(job);
  const recipeUuid = randomUUID();
  await insertSavedRecipe(trx, {
    uuid: recipeUuid,
    name: body.new_recipe_name ?? copyOf(recipe.name),
    description: recipe.description,
    owner: actor,
    hardwareProfile: device.snapshot.hardwareProfile.uuid,
    osImage: osImageUuid,
    now,
  });
  return { recipeUuid, osImageUuid };
}

async function createImage({ trx, actor, device, limits, body, now }: SaveJob): Promise<string> {
  await checkRoom(trx, limits, "os_images");
  const image = device.snapshot.osImage;
  const uuid = randomUUID();
  const formFactors = (await lockImage(trx, image.uuid))?.form_factors ?? [device.snapshot.hardwareProfile.formFactor];
  const name = body.new_os_image_name ?? copyOf(image.name);
  await insertSavedImage(trx, { uuid, name, image, formFactors, owner: actor, now });
  return uuid;
}

function checkNotSaving(row: Pick<Recipe, "status">): void {
  if (isSaving(row)) throw new AppError("RECIPE_MUST_NOT_BE_SAVING");
}
