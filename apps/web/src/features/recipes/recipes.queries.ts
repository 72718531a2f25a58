import type { recipes, Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { client } from "../../session/client.ts";

type RecipeListQuery = Sent<typeof recipes.list>["query"];

/** A page of recipes; the former page stays in sight until the next is there. */
export const recipeList = (query: RecipeListQuery) => ({
  queryKey: ["recipes", "list", query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.recipes.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});
