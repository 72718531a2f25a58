import { Box, Table, TableBody, TableCell, TableRow } from "@mui/material";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import { Fragment, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ToolButton } from "../ToolButton.tsx";
import { actionsWidthOf, type ListColumn, minWidthOf } from "./list.ts";
import { RowActions } from "./RowActions.tsx";
import { RowMenu } from "./RowMenu.tsx";
import { SelectBox } from "./SelectBox.tsx";
import { shownColumns } from "./list-settings.ts";
import { TableHeader } from "./TableHeader.tsx";
import { TableSkeleton } from "./TableSkeleton.tsx";
import { useGridKeys } from "./use-grid-keys.ts";
import { useSelection } from "./use-selection.ts";
import type { ListState } from "./use-list.ts";

interface Props<Row extends object, Context> {
  state: ListState<Row, Context>;
  /** Stands in place of the rows: nothing found, or an error. */
  instead?: React.ReactNode;
}

/** A page of a list that the service sorts and cuts: rows that can be selected, opened and sorted, by pointer and by keys. */
export function ListTable<Row extends object, Context>({ state, instead }: Props<Row, Context>) {
  const { list, context, rows = [], selected } = state;
  const { t } = useTranslation();
  const words = list.words(t);
  const table = useRef<HTMLTableElement>(null);
  const [menu, setMenu] = useState<{ row: Row; anchor: HTMLElement }>();
  const columns = shownColumns<ListColumn<Row, Context>>(list.columns, state.settings.columns);
  const ids = rows.map(list.idOf);
  const rowOf = (id: string) => rows[ids.indexOf(id)];
  const select = useSelection(state);
  const hasButtons = list.actions !== undefined || list.details !== undefined;
  const open = (id: string) => {
    const row = rowOf(id);
    if (list.details) state.toggle(id);
    if (row) list.open?.(row, context);
  };
  const keys = useGridKeys(table, {
    onOpen: open,
    onSelect: (id, event) => list.bulk && select(id, event),
    onMenu: (id, anchor) => {
      const row = rowOf(id);
      if (row) setMenu({ row, anchor });
    },
  });
  const minWidth = minWidthOf(columns, actionsWidthOf(list));

  return (
    <Box sx={[card, fade(minWidth)]}>
      <Table
        ref={table}
        {...keys}
        role="grid"
        aria-label={words.label}
        aria-busy={state.rows === undefined}
        aria-multiselectable={list.bulk !== undefined}
        sx={{ minWidth }}
      >
        <TableHeader state={state} columns={columns} />
        <TableBody>
          {state.rows === undefined && !instead && (
            <TableSkeleton
              columns={columns.length + Number(hasButtons)}
              rows={state.pageSize}
              isSelectable={list.bulk !== undefined}
            />
          )}
          {!instead &&
            rows.map((row, index) => {
              const id = ids[index] ?? "";
              const isSelected = selected.has(id);
              const isExpanded = state.expanded.has(id);
              return (
                <Fragment key={id}>
                  <TableRow
                    data-id={id}
                    tabIndex={-1}
                    selected={isSelected}
                    aria-selected={list.bulk && isSelected}
                    data-fresh={state.fresh.has(id) || undefined}
                    // A double click opens; it is not meant to mark the word below it.
                    onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
                    onDoubleClick={() => open(id)}
                  >
                    {list.bulk && (
                      <TableCell padding="checkbox">
                        <SelectBox
                          name={list.nameOf(row)}
                          isSelected={isSelected}
                          onSelect={(event) => select(id, event)}
                        />
                      </TableCell>
                    )}
                    {columns.map((column) => (
                      <TableCell key={column.id} align={column.align ?? "left"}>
                        {column.cell(row, context)}
                      </TableCell>
                    ))}
                    {hasButtons && (
                      <TableCell align="right" data-pinned>
                        <Box sx={{ display: "flex", justifyContent: "flex-end" }}>
                          <RowActions actions={list.actions?.(row, context) ?? []} />
                          {list.details && (
                            <ToolButton
                              glyph={isExpanded ? ChevronUp : ChevronDown}
                              label={t("common.table.details", { name: list.nameOf(row) })}
                              aria-expanded={isExpanded}
                              onClick={() => state.toggle(id)}
                            />
                          )}
                        </Box>
                      </TableCell>
                    )}
                  </TableRow>
                  {isExpanded && (
                    <TableRow>
                      <TableCell
                        colSpan={columns.length + Number(hasButtons) + Number(list.bulk !== undefined)}
                        sx={below}
                      >
                        {list.details?.(row, context)}
                      </TableCell>
                    </TableRow>
                  )}
                </Fragment>
              );
            })}
        </TableBody>
      </Table>
      {instead}
      {menu && (
        <RowMenu
          label={t("common.table.more", { name: list.nameOf(menu.row) })}
          actions={list.actions?.(menu.row, context) ?? []}
          anchor={menu.anchor}
          onClose={() => setMenu(undefined)}
        />
      )}
    </Box>
  );
}

/** Unlike a cell it is as high as what it says. */
const below = { height: "auto", py: 4, whiteSpace: "normal", backgroundColor: "background.sunken" } as const;

const card = {
  overflowX: "auto",
  background: "var(--mui-palette-background-paper)",
  border: "1px solid var(--mui-palette-divider)",
  borderRadius: "10px",
  boxShadow: "var(--glass-edge)",
  "& table": { tableLayout: "fixed" },
  "& [data-pinned]": {
    position: "sticky",
    right: 0,
    overflow: "visible",
    backgroundColor: "var(--mui-palette-background-paper)",
  },
  // They lie above the ring of their row, and continue it.
  "& tr:focus-visible > td[data-pinned]": {
    boxShadow: "inset -2px 2px var(--mui-palette-focus), inset 0 -2px var(--mui-palette-focus)",
  },
  "& tr[data-fresh] > td[data-pinned]": { animation: "terrarium-fresh 2400ms ease-out" },
  "& tr:hover > td[data-pinned]": {
    backgroundImage: "linear-gradient(var(--mui-palette-action-hover), var(--mui-palette-action-hover))",
  },
  "& tr.Mui-selected > td[data-pinned]": {
    backgroundImage: "none",
    backgroundColor: "var(--mui-palette-action-selected)",
  },
};

/** Only where the table scrolls: what goes below the pinned cells fades into their colour rather than being cut. */
const fade = (minWidth: number) => ({
  containerType: "inline-size",
  [`@container (max-width: ${minWidth - 1}px)`]: {
    "& [data-pinned]::before": {
      content: '""',
      position: "absolute",
      inset: "0 100% 0 auto",
      width: 20,
      background: "linear-gradient(90deg, transparent, var(--mui-palette-background-paper))",
      pointerEvents: "none",
    },
    "& tr.Mui-selected > [data-pinned]::before": {
      background: "linear-gradient(90deg, transparent, var(--mui-palette-action-selected))",
    },
  },
});
