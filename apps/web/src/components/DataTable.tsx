import { Box, Checkbox, Table, TableBody, TableCell, TableRow } from "@mui/material";
import { rowSelectionFeature, rowSortingFeature, tableFeatures, useTable } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type DataColumn, type Sorting, TableHeader } from "./TableHeader.tsx";
import { TableSkeleton } from "./TableSkeleton.tsx";

interface Props<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly DataColumn<Row>[];
  /** One page of rows; undefined while the first is on its way. */
  rows: readonly Row[] | undefined;
  idOf: (row: Row) => string;
  nameOf: (row: Row) => string;
  sorting: Sorting;
  onSort: (sorting: Sorting) => void;
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
  /** Double-click, or Enter on a focused row. */
  onOpen: (row: Row) => void;
  /** Came with the last refresh. */
  isFresh?: (row: Row) => boolean;
  /** In pixels; where there is less room the table scrolls sideways. */
  minWidth: number;
  /** As many skeleton rows as the page may have. */
  pageSize: number;
  /** Stands in place of the rows: nothing there, nothing found, or an error. */
  instead?: React.ReactNode;
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature });

/** A page of a list that the service sorts and cuts: rows that can be chosen, opened and sorted. */
export function DataTable<Row extends object>(props: Props<Row>) {
  const { columns, rows, idOf, nameOf, sorting, selected, onSelect, onOpen, instead } = props;
  const { t } = useTranslation();
  const definitions = useMemo(
    () => columns.map(({ id, isSortable = false }) => ({ id, enableSorting: isSortable })),
    [columns],
  );
  const data = useMemo(() => [...(rows ?? [])], [rows]);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: idOf,
    manualSorting: true,
    enableSortingRemoval: false,
    state: {
      sorting: [sorting],
      rowSelection: Object.fromEntries(Array.from(selected, (id) => [id, true as const])),
    },
    onSortingChange: (change) => {
      const [next] = typeof change === "function" ? change([sorting]) : change;
      if (next) props.onSort(next);
    },
    onRowSelectionChange: (change) => {
      const now = Object.fromEntries(Array.from(selected, (id) => [id, true as const]));
      const next = typeof change === "function" ? change(now) : change;
      onSelect(new Set(Object.keys(next).filter((id) => next[id])));
    },
  });

  return (
    <Box sx={[card, fade(props.minWidth)]}>
      <Table aria-label={props.label} aria-busy={rows === undefined} sx={{ minWidth: props.minWidth }}>
        <TableHeader
          columns={columns}
          sorting={sorting}
          onSort={(id) => table.getColumn(id)?.toggleSorting()}
          hasRows={data.length > 0}
          isAll={table.getIsAllRowsSelected() && data.length > 0}
          isSome={table.getIsSomeRowsSelected()}
          onToggleAll={() => table.toggleAllRowsSelected()}
        />
        <TableBody>
          {rows === undefined && !instead && <TableSkeleton columns={columns} rows={props.pageSize} />}
          {!instead &&
            table.getRowModel().rows.map((row) => (
              <TableRow
                key={row.id}
                tabIndex={0}
                selected={row.getIsSelected()}
                aria-selected={row.getIsSelected()}
                data-fresh={props.isFresh?.(row.original) || undefined}
                // A double click opens; it is not meant to mark the word below it.
                onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
                onDoubleClick={() => onOpen(row.original)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && event.target === event.currentTarget) onOpen(row.original);
                }}
              >
                <TableCell padding="checkbox">
                  <Checkbox
                    size="small"
                    checked={row.getIsSelected()}
                    onChange={row.getToggleSelectedHandler()}
                    onDoubleClick={(event) => event.stopPropagation()}
                    slotProps={{ input: { "aria-label": t("common.table.select", { name: nameOf(row.original) }) } }}
                  />
                </TableCell>
                {columns.map((column) => (
                  <TableCell key={column.id} align={column.align ?? "left"} data-pinned={column.isPinned || undefined}>
                    {column.cell(row.original)}
                  </TableCell>
                ))}
              </TableRow>
            ))}
        </TableBody>
      </Table>
      {instead}
    </Box>
  );
}

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
