import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { type Arch, limits } from "@terrarium/contract";
import { useEffect, useEffectEvent } from "react";
import { useLocation, useNavigate } from "react-router";
import { AWAY_RETRY_MS, isAway } from "../../components/is-away.ts";
import { useTypedSearch } from "../../components/use-typed-search.ts";
import {
  type CatalogueAddress,
  type CatalogueSource,
  readCatalogueAddress,
  writeCatalogueAddress,
} from "./catalogue-address.ts";

/** What the service is asked for. */
interface CatalogueAsk {
  page: number;
  page_size: number;
  search: string | undefined;
  /** Undefined for people who have but one source. */
  source: CatalogueSource | undefined;
  arch: Arch | "all";
}

interface Options<Item> {
  /** A page of the catalogue, as a plain value for `useQuery`. */
  query: (ask: CatalogueAsk) => {
    queryKey: QueryKey;
    queryFn: (call: { signal: AbortSignal }) => Promise<{ count: number; results: Item[] }>;
  };
  /** False for guests, who are not asked where things come from. */
  hasSources?: boolean;
}

/** A catalogue page as it is looked at: what the address asks for, and what came. */
export function useCatalogue<Item>({ query: ask, hasSources = true }: Options<Item>) {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const read = readCatalogueAddress({ search, hash });
  const address: CatalogueAddress = hasSources ? read : { ...read, source: "all" };
  const go = (change: Partial<CatalogueAddress>, { replace = false } = {}) =>
    void navigate(writeCatalogueAddress({ search, hash }, change), { replace, preventScrollReset: true });
  const typed = useTypedSearch(address.search, (settled) => go({ search: settled }, { replace: true }));

  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    ...ask({
      page: address.page,
      page_size: limits.pageSize,
      search: address.search || undefined,
      source: hasSources ? address.source : undefined,
      arch: address.arch,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (isAway(state.error) ? AWAY_RETRY_MS : false),
  });
  const failed = error && !(data && isAway(error)) ? error : null;
  const count = failed ? 0 : (data?.count ?? 0);

  // What was deleted meanwhile, or a link, may lead too far: the last page takes its place.
  const isTooFar = data !== undefined && !isPlaceholderData && data.results.length === 0 && address.page > 1;
  const last = Math.max(1, Math.ceil(count / limits.pageSize));
  const goOn = useEffectEvent(() => go({ page: last }, { replace: true }));
  useEffect(() => {
    if (isTooFar) goOn();
  }, [isTooFar]);

  return {
    /** Undefined until the first answer. */
    items: failed ? [] : data?.results,
    count,
    error: failed,
    isFetching,
    /** What is shown is still of another page or filter. */
    isComing: isPlaceholderData || isTooFar,
    address,
    go,
    hasSources,
    isFiltered: address.search !== "" || address.source !== "all" || address.arch !== "all",
    clear: () => {
      typed.setSearch(undefined);
      void navigate({ search: "", hash: "" });
    },
    /** As it is typed; the address follows when the keys rest. */
    ...typed,
    refetch: () => void refetch(),
  };
}

export type CatalogueState<Item> = ReturnType<typeof useCatalogue<Item>>;
