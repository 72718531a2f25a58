import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from "react";
import { useLocation, useSearchParams } from "react-router";
import { AWAY_RETRY_MS, isAway } from "../is-away.ts";
import { usePreference } from "../use-preference.ts";
import { useTypedSearch } from "../use-typed-search.ts";
import { type ListAddress, readAddress, usualFilters, writeAddress } from "./list-address.ts";
import type { FilterValues, List, ListPage, News } from "./list.ts";
import { useFreshRows } from "./use-fresh-rows.ts";

const noNews: News<unknown> = { subscribe: () => () => undefined, count: () => 0, clear: () => undefined };
const none: ReadonlySet<string> = new Set();

/** A list as it is looked at: what the address asks for, what came, what is selected, and what waits. */
export function useList<Row extends object, Context>(list: List<Row, Context>, context: Context) {
  const { news = noNews } = list;
  const [params, setParams] = useSearchParams();
  const [settings, saveSettings] = usePreference(list.settings);
  const [chosenPageSize, savePageSize] = usePreference(list.pageSizePreference);
  const filters = (list.filters ?? []).filter(({ isOffered }) => isOffered?.(context) ?? true);
  const usual = usualFilters(filters);
  const views = filters.flatMap(({ id, isView }) => (isView ? id : []));
  /** What of these is about the view; the rest narrows the list. */
  const viewOf = (values: FilterValues) =>
    Object.fromEntries(Object.entries(values).filter(([id]) => views.includes(id)));
  const address = readAddress(params, { ...list, filters }, settings.filters);
  const [selection, setSelection] = useState({ at: "", ids: none });

  const [expanded, setExpanded] = useState(none);
  /** The keys of the pages before this one, for the way back; a link to a page knows none. */
  const { state: visit } = useLocation() as { state: { trail?: readonly string[] } | null };
  const trail = visit?.trail ?? [];

  const { filters: chosen, before, ...ask } = address;
  const fixedPageSize = list.fixedPageSize?.(chosen);
  const pageSize = fixedPageSize ?? chosenPageSize;
  const query = useQuery<unknown, Error, ListPage<Row>>({
    ...list.query(
      {
        ...ask,
        search: ask.search || undefined,
        page_size: pageSize,
        ...(list.hasKeyedPages && before !== "" && { before }),
      },
      context,
      chosen,
    ),
    refetchInterval: ({ state }) =>
      isAway(state.error)
        ? AWAY_RETRY_MS
        : (list.looksAgainMs?.((state.data as ListPage<Row>)?.results ?? []) ?? false),
  });
  const { data, error, refetch } = query;
  const showsRows = !error || (data !== undefined && isAway(error));
  const rows: readonly Row[] | undefined = showsRows ? data?.results : [];
  const count = showsRows ? (data?.count ?? 0) : 0;
  // A page on its way may be pressed for twice: what leads on is known when it is there.
  const next = (showsRows && !query.isPlaceholderData && data?.next) || undefined;
  const { fresh, markFresh, markNewOf } = useFreshRows(rows, list.idOf);

  /** What the address was changed to since it was `from`. On a slow machine the page shows that later, and more may be chosen meanwhile. */
  const written = useRef({ from: params, to: params });
  const go = (
    change: Partial<ListAddress>,
    { replace = false, trail: way }: { replace?: boolean; trail?: string[] } = {},
  ) => {
    const to = writeAddress(written.current.from === params ? written.current.to : params, list, change);
    written.current = { from: params, to };
    setParams(to, { replace, preventScrollReset: true, ...(way && { state: { trail: way } }) });
  };
  const goOn = useEffectEvent((change: Partial<ListAddress>) => go(change, { replace: true }));

  const typed = useTypedSearch(address.search, (settled) => go({ search: settled }, { replace: true }));

  // Rows may have ended meanwhile, or a link may lead too far: the last page that has some takes its place.
  const isTooFar = data !== undefined && !query.isPlaceholderData && data.results.length === 0 && address.page > 1;
  const last = Math.max(1, Math.ceil(count / pageSize));
  useEffect(() => {
    if (isTooFar) goOn({ page: last });
  }, [isTooFar, last]);

  // What is selected is always in sight: another page, order or filter starts with nothing selected.
  const at = JSON.stringify([address, pageSize]);
  const selected = selection.at === at ? selection.ids : none;

  /** Fetches again; what waited is then among the rows, or was not for this list. */
  const refresh = async (): Promise<readonly Row[]> => {
    news.clear();
    return (await refetch()).data?.results ?? [];
  };

  return {
    list,
    context,
    rows,
    count,
    error: showsRows ? null : error,
    isFetching: query.isFetching,
    /** The rows are still those of another page, order or filter. */
    isComing: query.isPlaceholderData,
    address,
    go,
    filters,
    setFilter: (id: string, value: string) => {
      const isRemembered = filters.find((filter) => filter.id === id)?.isRemembered ?? false;
      if (isRemembered) saveSettings({ ...settings, filters: { ...settings.filters, [id]: value } });
      go({ filters: { [id]: value } }, { replace: isRemembered });
    },
    isFiltered: address.search !== "" || filters.some(({ id, isView }) => !isView && address.filters[id] !== usual[id]),
    clearFilters: () => {
      typed.setSearch(undefined);
      saveSettings({ ...settings, filters: viewOf(settings.filters) });
      go({ search: "", filters: { ...usual, ...viewOf(address.filters) } });
    },
    /** As it is typed; the address follows once the keys rest. */
    ...typed,
    pageSize,
    hasFixedPageSize: fixedPageSize !== undefined,
    lastPage: last,
    /** The ways to the pages beside this one, where they follow keys; undefined where there is none. */
    keyed: list.hasKeyedPages
      ? {
          newer: before === "" ? undefined : () => go({ before: trail.at(-1) ?? "" }, { trail: trail.slice(0, -1) }),
          older: next === undefined ? undefined : () => go({ before: next }, { trail: [...trail, before] }),
        }
      : undefined,
    /** The rows whose details are shown. */
    expanded,
    toggle: (id: string) =>
      setExpanded((shown) => new Set(shown.has(id) ? [...shown].filter((each) => each !== id) : [...shown, id])),
    setPageSize: (size: number) => {
      savePageSize(size);
      go({ page: 1 });
    },
    settings,
    saveSettings,
    selected,
    select: (ids: ReadonlySet<string>) => setSelection({ at, ids }),
    newCount: useSyncExternalStore(news.subscribe, () => news.count(address.filters, context)),
    fresh,
    markFresh,
    refresh,
    refreshAndMark: () => markNewOf(refresh),
  };
}

export type ListState<Row extends object, Context> = ReturnType<typeof useList<Row, Context>>;
