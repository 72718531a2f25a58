import type { Arch, recipes, Sent } from "@terrarium/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { client } from "../../session/client.ts";
import type { DeviceShape } from "../../shared/DeviceDrawing.tsx";
import { shelfOf } from "./shelf.ts";

type RecipeListQuery = Sent<typeof recipes.list>["query"];

/** How the service calls each shape. */
export const formFactorOf = {
  phone: "PHONE",
  tablet: "TABLET",
  foldable: "FOLDABLE",
  watch: "WATCH",
  car: "CAR",
  tv: "TV",
} as const satisfies Record<DeviceShape, string>;

/** A page of recipes; the former page stays in sight until the next is there. */
export const recipeList = (query: RecipeListQuery) => ({
  queryKey: ["recipes", "list", query] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => client.recipes.list({ query }, { signal }),
  placeholderData: keepPreviousData,
});

/** Recipes for an empty launchpad: `recent` ones, then the first of each shape. `arch`: what the organization supports. */
export const recipeShelf = (recent: readonly string[], arch: Arch[] | undefined) => ({
  queryKey: ["recipes", "shelf", recent, arch] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const first = async (form_factor: (typeof formFactorOf)[DeviceShape]) => {
      const query = { form_factor: [form_factor], arch, page: 1, page_size: 1 };
      return (await client.recipes.list({ query }, { signal })).results[0];
    };
    return shelfOf(
      // What was deleted, or belongs to somebody else who signed in here, is passed over.
      await Promise.all(
        recent.map((uuid) => client.recipes.get({ params: { uuid } }, { signal }).catch(() => undefined)),
      ),
      await Promise.all(Object.values(formFactorOf).map(first)),
    );
  },
});
