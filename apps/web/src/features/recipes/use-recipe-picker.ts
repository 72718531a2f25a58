import type { Arch, Recipe } from "@terrarium/contract";
import { skipToken, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "../../components/use-debounced.ts";
import { usePreference } from "../../components/use-preference.ts";
import { type DeviceShape, formFactorOf } from "../../shared/FormFactorTile.tsx";
import { whyNotStartable } from "./recipe-state.ts";
import { type RecipeRow, rowsOf } from "./recipe-rows.ts";
import { recipePages } from "./recipes.queries.ts";
import { sourcePreference } from "./start-preferences.ts";

interface Filters {
  search: string;
  shapes: readonly DeviceShape[];
  arch: Arch | "all";
}
const noFilters: Filters = { search: "", shapes: [], arch: "all" };

interface Options {
  /** False for guests, who have but one source. */
  hasSources: boolean;
  /** What the organization can run. */
  supported: readonly Arch[] | undefined;
  /** Leads the list, and is chosen, until somebody filters it. */
  first: Recipe | undefined;
}

/** What the start dialog shows of the recipes, and which of them is chosen. */
export function useRecipePicker({ hasSources, supported, first: given }: Options) {
  // In the cache, where events change its status.
  const { data: first } = useQuery({
    queryKey: ["recipes", "first", given?.uuid],
    queryFn: skipToken,
    initialData: given,
    gcTime: 0,
  });
  const [source, setSource] = usePreference(sourcePreference);
  const [filters, setFilters] = useState(noFilters);
  const { search, shapes, arch } = filters;
  const [chosenId, setChosenId] = useState<string>();
  const [ownArch, chooseArch] = useState(first?.arch ?? undefined);
  const sought = useDebounced(search.trim());
  const query = useInfiniteQuery(
    recipePages({
      search: sought || undefined,
      ...(hasSources && { source }),
      ...(arch !== "all" && { arch: [arch] }),
      ...(shapes.length > 0 && { form_factor: shapes.map(formFactorOf) }),
    }),
  );
  const isFiltered = sought !== "" || shapes.length > 0 || arch !== "all" || (hasSources && source !== "all");
  const recipes: readonly Recipe[] = query.data?.pages.flatMap(({ results }) => results) ?? [];
  const rows = rowsOf(first && !isFiltered ? [first, ...recipes.filter(({ uuid }) => uuid !== first.uuid)] : recipes);
  // What was chosen may have been filtered away; the first then is.
  const row = rows.find((each) => each.some(({ uuid }) => uuid === chosenId)) ?? rows[0];
  const chosen =
    row?.find((recipe) => recipe.arch === ownArch) ??
    row?.find(
      (recipe) =>
        !whyNotStartable(recipe) &&
        (supported === undefined || (recipe.arch !== null && supported.includes(recipe.arch))),
    ) ??
    row?.[0];
  const choose = (next: RecipeRow | undefined) => next && setChosenId(next[0].uuid);

  return {
    query,
    rows,
    row,
    chosen,
    choose,
    /** Of this row and, where there is a choice, of the next ones that are looked at. */
    chooseArch,
    /** Moves the choice; it stops at the ends. */
    move: (by: number) => choose(rows[Math.min(Math.max(row ? rows.indexOf(row) + by : 0, 0), rows.length - 1)]),
    fetchMore: () => {
      if (query.hasNextPage && !query.isFetching) void query.fetchNextPage();
    },
    hasSources,
    source,
    setSource,
    ...filters,
    filter: (change: Partial<Filters>) => setFilters({ ...filters, ...change }),
    /** The search once the keys rest. */
    sought,
    isFiltered,
    clearFilters: () => {
      setFilters(noFilters);
      setSource("all");
    },
  };
}
export type RecipePicker = ReturnType<typeof useRecipePicker>;
