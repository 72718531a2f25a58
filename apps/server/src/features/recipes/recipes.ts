import { AppError, type Recipe } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { presentHardwareProfile } from "../hardware-profiles/hardware-profiles.ts";
import { presentOsImage } from "../os-images/os-images.ts";
import type { Actor } from "../sessions/actor.ts";
import { findRecipe, type RecipeRow } from "./recipes.store.ts";

/** A recipe with both its parts. */
export type WholeRecipe = RecipeRow & { hardware_profile: object; os_image: object };

/** A recipe the actor may see; any other is unknown. One that lacks a part can be neither shown nor started. */
export async function getRecipe(db: Database, actor: Actor, uuid: string): Promise<WholeRecipe> {
  const recipe = await findRecipe(db, actor.organization ?? undefined, uuid);
  if (!recipe?.hardware_profile || !recipe.os_image) throw new AppError("RECIPE_NOT_FOUND");
  return recipe as WholeRecipe;
}

export function presentRecipe(row: RecipeRow, runtimes: ReadonlySet<string>): Recipe {
  const { hardware_profile, os_image } = row as WholeRecipe;
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    status: row.status,
    source: row.is_official ? "DEFAULT" : "CUSTOM",
    is_official: row.is_official,
    arch: os_image.arch,
    owner: null,
    share: null,
    hardware_profile: presentHardwareProfile(hardware_profile),
    os_image: presentOsImage(os_image, runtimes),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
