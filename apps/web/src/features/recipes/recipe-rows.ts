import type { Recipe } from "@terrarium/contract";

/** Recipes that differ in their architecture alone; most have one. */
export type RecipeRow = readonly [Recipe, ...Recipe[]];

/**
 * Official recipes that are the same device with the same Android for another architecture are one row, where the first of
 * them stands. Recipes that people made are never joined: what was saved in them is not to be seen here.
 */
export function rowsOf(recipes: readonly Recipe[]): RecipeRow[] {
  const rows: [Recipe, ...Recipe[]][] = [];
  const open = new Map<string, (typeof rows)[number]>();
  for (const recipe of recipes) {
    const { name, uuid, is_official: isOfficial, hardware_profile: profile, os_image: image, arch } = recipe;
    const twins =
      isOfficial && profile && image ? JSON.stringify([name, profile.uuid, image.os_version.os_version]) : uuid;
    const row = open.get(twins);
    if (row && !row.some((other) => other.arch === arch)) row.push(recipe);
    else {
      const next: [Recipe] = [recipe];
      open.set(twins, next);
      rows.push(next);
    }
  }
  return rows;
}
