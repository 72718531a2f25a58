import type { Recipe } from "@terrarium/contract";
import type { Client } from "./client.ts";
import { allOf } from "./pages.ts";

/**
 * The one recipe of a name; else undefined, with those of that name, and what a search for it finds. Official recipes are there once for
 * each architecture: of those, x86_64 is meant.
 */
export async function recipeCalled(
  client: Client,
  name: string,
): Promise<{ recipe: Recipe | undefined; same: Recipe[]; found: Recipe[] }> {
  const found = await allOf((page) => client.recipes.list({ query: { ...page, search: name } }));
  const same = found.filter((recipe) => recipe.name.toLowerCase() === name.toLowerCase());
  const [recipe, ...others] = same.length > 1 ? same.filter(({ arch }) => arch === "x86_64") : same;
  return { recipe: others.length === 0 ? recipe : undefined, same, found };
}
