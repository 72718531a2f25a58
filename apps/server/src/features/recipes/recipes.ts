import type { Recipe } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { checkKnown, type Reader } from "../catalogue/owned.ts";
import { presentHardwareProfile } from "../hardware-profiles/hardware-profiles.ts";
import { presentOsImage } from "../os-images/os-images.ts";
import { findRecipe, type RecipeRow } from "./recipes.store.ts";

export type { RecipeRow } from "./recipes.store.ts";

/** A recipe that the reader may use; any other is unknown. */
export async function getRecipe(db: Database, reader: Reader, uuid: string): Promise<RecipeRow> {
  const recipe = await findRecipe(db, reader, uuid);
  checkKnown("recipes", recipe);
  return recipe;
}

/** Whether there is a state from before the last save. An image of somebody else's is not changed through this recipe. */
export const canRollBack = ({ owner_uuid, os_image: image, previous_os_image_uuid }: RecipeRow): boolean =>
  (image.previous_layers !== null && image.owner_uuid === owner_uuid) || previous_os_image_uuid !== null;

export function presentRecipe(row: RecipeRow, runtimes: ReadonlySet<string>): Recipe {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    status: row.status,
    source: row.is_official ? "DEFAULT" : "CUSTOM",
    is_official: row.is_official,
    arch: row.os_image.arch,
    owner: row.owner,
    share: null,
    hardware_profile: presentHardwareProfile(row.hardware_profile),
    os_image: presentOsImage(row.os_image, runtimes),
    can_roll_back: row.status === "READY" && row.os_image.status === "READY" && canRollBack(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
