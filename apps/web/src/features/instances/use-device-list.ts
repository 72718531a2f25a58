import type { Instance } from "@terrarium/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { usePreference } from "../../components/use-preference.ts";
import { useMe } from "../../session/user.ts";
import { lastPage } from "../../components/Pager.tsx";
import { requestState } from "../../components/request-state.ts";
import { snack } from "../../components/snack-queue.ts";
import type { Sorting } from "../../components/TableHeader.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { orderingOf } from "./column-ids.ts";
import { instanceList } from "./instances.queries.ts";
import { newDevices } from "../../shared/new-devices.ts";
import { pageSizePreference, tableSettings } from "./table-settings.ts";

/** The page of devices that is looked at: what was asked for, what came, and what waits. */
export function useDeviceList() {
  const { t } = useTranslation();
  const me = useMe();
  const [settings, saveSettings] = usePreference(tableSettings);
  const [pageSize, savePageSize] = usePreference(pageSizePreference);
  const [wantedPage, setPage] = useState(1);
  const [search, setSearch] = useState("");
  const [sorting, setSorting] = useState<Sorting>({ id: "updatedAt", desc: true });
  const sought = useDebounced(search.trim());
  const isWide = me.role === "manager" && settings.organizationWide;

  const query = useQuery(
    instanceList({
      organization_uuid: me.organization?.uuid,
      organization_wide: isWide,
      ordering: orderingOf(sorting),
      page: wantedPage,
      page_size: pageSize,
      search: sought || undefined,
    }),
  );
  const { data, error, refetch } = query;
  const hasFailed = requestState(query) === "FINISHED_ERROR";
  const count = data?.count ?? 0;

  // The last rows of the last page may have ended meanwhile.
  const page = data && !query.isPlaceholderData ? Math.min(wantedPage, lastPage(count, pageSize)) : wantedPage;
  if (page !== wantedPage) setPage(page);

  // Said for as long as it is so.
  useEffect(() => (hasFailed ? snack("error", t("errors.fetchDevices")) : undefined), [hasFailed, t]);

  const waiting = useSyncExternalStore(newDevices.subscribe, newDevices.read);
  const news = waiting.filter(({ owner_uuid: owner }) => isWide || owner === me.uuid);
  const rows: readonly Instance[] | undefined = hasFailed ? [] : data?.results;

  return {
    rows,
    count: hasFailed ? 0 : count,
    error,
    isFetching: query.isFetching,
    isWide,
    newCount: news.length,
    page,
    pageSize,
    search,
    sought,
    sorting,
    settings,
    saveSettings,
    setPage,
    setPageSize: (size: number) => {
      savePageSize(size);
      setPage(1);
    },
    setSearch: (text: string) => {
      setSearch(text);
      setPage(1);
    },
    setSorting: (next: Sorting) => {
      setSorting(next);
      setPage(1);
    },
    /** Fetches anew; what waited is then among the rows, or was not for this list. */
    refresh: async (): Promise<readonly Instance[]> => {
      newDevices.clear();
      return (await refetch()).data?.results ?? [];
    },
  };
}
