import "../../en/list.ts";
import { Box, Button, useMediaQuery } from "@mui/material";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../EmptyState.tsx";
import { ErrorState } from "../ErrorState.tsx";
import { KeysDialog } from "../KeysDialog.tsx";
import { useShortcuts } from "../use-shortcuts.ts";
import { BulkBar } from "./BulkBar.tsx";
import { ColumnsDialog } from "./ColumnsDialog.tsx";
import { listKeys } from "./list-keys.ts";
import { ListCards } from "./ListCards.tsx";
import { ListTable } from "./ListTable.tsx";
import { ListToolbar } from "./ListToolbar.tsx";
import { Pager, PagerRow } from "./Pager.tsx";
import { useDropOver } from "./use-drop-over.ts";
import type { ListState } from "./use-list.ts";

const none: ReadonlySet<string> = new Set();

interface Props<Row extends object, Context> {
  state: ListState<Row, Context>;
  /** Stands in place of rows, filter and columns while there is nothing in the list and nothing was sought. */
  empty: React.ReactNode;
  /** Stands in place of table and cards, if the rows are looked at in another way. */
  view?: React.ReactNode;
}

/** A list page below its title: search and filters, the rows or what is to be said in their place, and the pages. */
export function ListView<Row extends object, Context>({ state, empty, view }: Props<Row, Context>) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery((theme) => theme.breakpoints.down("sm"));
  const { list, context, rows, error, selected } = state;
  const [isTouched, setTouched] = useState(false);
  const [asked, setAsked] = useState<"columns" | "keys">();
  const searchRef = useRef<HTMLInputElement>(null);
  const boxRef = useRef<HTMLDivElement>(null);
  const emptyRef = useRef<HTMLDivElement>(null);
  const hadRows = useRef(false);
  const chosen = (rows ?? []).filter((row) => selected.has(list.idOf(row)));
  const clear = () => state.select(none);

  // What goes while it has the pointer or the focus, as the buttons of what has ended do, does not say that it lost them.
  useEffect(() => {
    if (rows && isTouched && boxRef.current?.matches(":hover, :focus-within") === false) setTouched(false);
  }, [rows, isTouched]);
  // The last row takes the focus along, perhaps while a dialog is open: the keys go on with what stands in its place.
  useEffect(() => {
    if (rows && rows.length > 0) hadRows.current = true;
    else if (rows && hadRows.current && document.activeElement === document.body) {
      hadRows.current = false;
      emptyRef.current?.focus({ preventScroll: true });
    }
  });
  useDropOver(rows?.some((row) => list.isOver?.(row)) ?? false, isTouched, state.refresh);
  useShortcuts({ "/": () => searchRef.current?.focus(), "?": () => setAsked("keys"), Escape: clear });

  const sizes = state.hasFixedPageSize ? undefined : { choices: list.pageSizes, onChoose: state.setPageSize };
  const toolbar = { state, searchRef, onColumns: isPhone || view ? undefined : () => setAsked("columns") };
  if (rows?.length === 0 && !error && !state.isFiltered && !state.isComing && !state.keyed?.newer)
    return (
      <>
        <ListToolbar {...toolbar} isBare />
        <Box ref={emptyRef} tabIndex={-1} sx={{ outline: 0 }}>
          {empty}
        </Box>
      </>
    );
  const instead = rows?.length === 0 && (state.isComing && !error ? <Waiting /> : <Nothing state={state} />);
  return (
    <>
      <ListToolbar {...toolbar} />
      <Box
        ref={boxRef}
        onPointerEnter={() => setTouched(true)}
        onPointerLeave={() => setTouched(false)}
        onFocus={() => setTouched(true)}
        onBlur={() => setTouched(false)}
      >
        {view && (instead || view)}
        {!view && (isPhone ? instead || <ListCards state={state} /> : <ListTable state={state} instead={instead} />)}
      </Box>
      {state.count > 0 &&
        (state.keyed ? (
          <PagerRow
            where={t(state.address.before === "" ? "common.table.latest" : "common.table.earlier", {
              count: state.count,
            })}
            pageSize={state.pageSize}
            sizes={sizes}
            onPrevious={state.keyed.newer}
            onNext={state.keyed.older}
          />
        ) : (
          <Pager
            page={state.address.page}
            pageSize={state.pageSize}
            count={state.count}
            onPage={(page) => state.go({ page })}
            sizes={sizes}
          />
        ))}
      <BulkBar ids={chosen.map(list.idOf)} actions={list.bulk?.(chosen, context) ?? []} onClear={clear} />
      {asked === "columns" && <ColumnsDialog state={state} onClose={() => setAsked(undefined)} />}
      {asked === "keys" && <KeysDialog onClose={() => setAsked(undefined)} keys={listKeys(t)} />}
    </>
  );
}

/** What stands where rows would be: the service refused, or nothing matches. */
function Nothing<Row extends object, Context>({ state }: { state: ListState<Row, Context> }) {
  const { t } = useTranslation();
  const words = state.list.words(t);
  if (state.error) return <ErrorState {...words.failed} error={state.error} onRetry={() => void state.refresh()} />;
  return (
    <EmptyState {...words.noMatch(state.address)}>
      <Button onClick={state.clearFilters}>{t("common.clearFilters")}</Button>
    </EmptyState>
  );
}

/** Holds the place of the words while another answer is on its way. */
const Waiting = () => <Box aria-busy="true" sx={{ minHeight: 320 }} />;
