import "../../en/catalogue.ts";
import { Box, Button, Skeleton } from "@mui/material";
import { limits } from "@terrarium/contract";
import { Fragment, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Delayed } from "../../components/Delayed.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { ErrorState } from "../../components/ErrorState.tsx";
import { Pager } from "../../components/list/Pager.tsx";
import { useShortcuts } from "../../components/use-shortcuts.ts";
import { CatalogueToolbar } from "./CatalogueToolbar.tsx";
import type { CatalogueState } from "./use-catalogue.ts";

export interface CatalogueWords {
  /** What the items are, for screen readers. */
  label: string;
  search: string;
  count: (count: number) => string;
  failed: { title: string; help: string };
  /** Nothing matches what was sought, if something was typed. */
  noMatch: (search: string) => string;
}

interface Props<Item> {
  state: CatalogueState<Item>;
  words: CatalogueWords;
  /** The catalogue has a filter for architectures. */
  hasArch?: boolean;
  idOf: (item: Item) => string;
  card: (item: Item) => React.ReactNode;
  /** What stands there while there is nothing, and nothing was sought. */
  empty: React.ReactNode;
  /** What else can be done where nothing matches, such as to create it. */
  instead?: React.ReactNode;
}

/** A catalogue below its title: search and filters, the cards or what is to be said in their place, and the pages. */
export function CatalogueView<Item>({ state, words, hasArch = false, idOf, card, empty, instead }: Props<Item>) {
  const { items, count, address } = state;
  const searchRef = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => searchRef.current?.focus() });
  const isNothing = items?.length === 0 && !state.isComing;
  if (isNothing && !state.error && !state.isFiltered) return empty;
  return (
    <>
      <CatalogueToolbar state={state} words={words} hasArch={hasArch} searchRef={searchRef} />
      {isNothing && <Nothing state={state} words={words} instead={instead} />}
      {!items && <Loading />}
      {items && items.length > 0 && (
        <Box component="ul" aria-label={words.label} aria-busy={state.isComing} sx={grid}>
          {items.map((item) => (
            <Fragment key={idOf(item)}>{card(item)}</Fragment>
          ))}
        </Box>
      )}
      {count > 0 && (
        <Pager
          page={address.page}
          pageSize={limits.pageSize}
          count={count}
          onPage={(page) => {
            state.go({ page });
            scrollTo({ top: 0 });
          }}
        />
      )}
    </>
  );
}

/** The service refused, or nothing matches. */
function Nothing<Item>({ state, words, instead }: Pick<Props<Item>, "state" | "words" | "instead">) {
  const { t } = useTranslation();
  const { search, source, arch } = state.address;
  if (state.error) return <ErrorState {...words.failed} error={state.error} onRetry={state.refetch} />;
  const filters = [
    search && `“${search}”`,
    source !== "all" && t(`catalogue.sources.${source}`),
    arch !== "all" && arch,
  ].filter(Boolean);
  return (
    <EmptyState title={words.noMatch(search)} help={t("catalogue.filters", { filters: filters.join(", ") })}>
      <Button onClick={state.clear}>{t("catalogue.clear")}</Button>
      {instead}
    </EmptyState>
  );
}

const Loading = () => (
  <Delayed>
    <Box aria-busy="true" sx={grid}>
      {[1, 2, 3, 4, 5, 6].map((one) => (
        <Skeleton key={one} variant="rounded" animation={false} height={188} sx={{ borderRadius: "10px" }} />
      ))}
    </Box>
  </Delayed>
);

const grid = {
  listStyle: "none",
  m: 0,
  p: 0,
  display: "grid",
  gap: { xs: 3, sm: 4 },
  gridTemplateColumns: "repeat(auto-fill, minmax(min(100%, 340px), 1fr))",
} as const;
