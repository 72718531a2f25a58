import { type Arch, limits, type Recipe } from "@terrarium/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usePreference } from "../../components/use-preference.ts";
import type { DeviceShape } from "../../shared/DeviceDrawing.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { formFactorOf, recipeList } from "./recipes.queries.ts";
import { type Source, sourcePreference } from "./start-preferences.ts";

/**
 * What the start dialog shows of the recipes, and which of them is chosen. `hasSources` is false for guests, who have but
 * one. `first` leads the list, and is chosen, until somebody filters it.
 */
export function useRecipePicker({ hasSources, first }: { hasSources: boolean; first?: Recipe | undefined }) {
  const [source, saveSource] = usePreference(sourcePreference);
  const [search, setSearch] = useState("");
  const [shapes, setShapes] = useState<DeviceShape[]>([]);
  const [arch, setArch] = useState<Arch | "all">("all");
  const [page, setPage] = useState(1);
  const [chosenId, choose] = useState<string>();
  const sought = useDebounced(search.trim());
  const query = useQuery(
    recipeList({
      search: sought || undefined,
      ...(hasSources && { source }),
      ...(arch !== "all" && { arch: [arch] }),
      ...(shapes.length > 0 && { form_factor: shapes.map((shape) => formFactorOf[shape]) }),
      page,
      page_size: limits.pageSize,
    }),
  );
  const isFiltered = sought !== "" || shapes.length > 0 || arch !== "all" || (hasSources && source !== "all");
  const listed: readonly Recipe[] = query.data?.results ?? [];
  const recipes =
    first && page === 1 && !isFiltered ? [first, ...listed.filter(({ uuid }) => uuid !== first.uuid)] : listed;
  // What was chosen may have been filtered away; the first then is.
  const chosen = recipes.find(({ uuid }) => uuid === chosenId) ?? recipes[0];

  /** Every filter starts at the first page. */
  const filter =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value);
      setPage(1);
    };
  return {
    query,
    recipes,
    count: query.data?.count ?? 0,
    chosen,
    choose,
    /** Moves the choice; it stops at the ends. */
    move: (by: number) => {
      const at = recipes.findIndex((recipe) => recipe === chosen);
      const next = recipes[Math.min(Math.max(at + by, 0), recipes.length - 1)];
      if (next) choose(next.uuid);
    },
    page,
    setPage,
    source,
    setSource: filter<Source>(saveSource),
    search,
    sought,
    setSearch: filter(setSearch),
    shapes,
    setShapes: filter(setShapes),
    arch,
    setArch: filter(setArch),
    isFiltered,
    clearFilters: () => {
      setSearch("");
      setShapes([]);
      setArch("all");
      saveSource("all");
      setPage(1);
    },
  };
}
export type RecipePicker = ReturnType<typeof useRecipePicker>;
