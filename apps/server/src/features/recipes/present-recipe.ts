import type { Recipe } from "@terrarium/contract";
import { presentHardwareProfiles } from "../hardware-profiles/hardware-profiles.ts";
import { type OsImageDeps, presentOsImages } from "../os-images/os-images.ts";
import { actionsOn, type RecipeUser, rightTo } from "./recipe-rights.ts";
import type { RecipeRow } from "./recipes.store.ts";
import { canRollBack } from "./roll-back.ts";

/** Recipes as this reader sees them. */
export async function presentRecipes(
  deps: OsImageDeps,
  reader: RecipeUser,
  rows: readonly RecipeRow[],
): Promise<Recipe[]> {
  const profiles = byUuid(await presentHardwareProfiles(deps, reader, partsOf(rows, "hardware_profile")));
  const images = byUuid(await presentOsImages(deps, reader, partsOf(rows, "os_image")));
  return rows.map((row) => ({
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    status: row.status,
    revision: row.revision,
    source: row.is_official ? "DEFAULT" : "CUSTOM",
    is_official: row.is_official,
    arch: row.os_image?.arch ?? null,
    owner: row.owner,
    right: rightTo(reader, row),
    actions: actionsOn(reader, row),
    share: row.share && { ...row.share, created_at: new Date(row.share.created_at).toISOString() },
    hardware_profile: profiles.get(row.hardware_profile_uuid) ?? null,
    os_image: images.get(row.os_image_uuid) ?? null,
    can_roll_back: canRollBack(row),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }));
}

export async function presentRecipe(deps: OsImageDeps, reader: RecipeUser, row: RecipeRow): Promise<Recipe> {
  const [recipe] = await presentRecipes(deps, reader, [row]);
  if (!recipe) throw new Error("one row is presented as one recipe");
  return recipe;
}

/** The parts of these recipes. Many recipes may have the same one: it is presented once. */
function partsOf<Part extends "hardware_profile" | "os_image">(rows: readonly RecipeRow[], part: Part) {
  const parts = rows.flatMap((row) => (row[part] === null ? [] : [row[part]]));
  return [...new Map(parts.map((each) => [each.uuid, each])).values()];
}

const byUuid = <Item extends { uuid: string }>(items: readonly Item[]): Map<string | null, Item> =>
  new Map(items.map((item) => [item.uuid, item]));
