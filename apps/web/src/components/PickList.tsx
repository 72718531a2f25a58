import { Box } from "@mui/material";
import type { Theme } from "@mui/material/styles";
import { useEffect, useId, useRef } from "react";
import { VirtualRows } from "./VirtualRows.tsx";

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  children: (row: Row) => React.ReactNode;
  /** The key of the row that is picked. */
  picked: string | undefined;
  onPick: (row: Row) => void;
  /** Enter, and two quick presses. */
  onOpen: (row: Row) => void;
  /** Any other key, with the row that is picked. */
  onKey?: (key: string, row: Row | undefined) => void;
}

const ROW = 44;
const PAGE = 10;

/** Where a key leads from a row; undefined for one that leads nowhere. */
function rowFor(key: string, at: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: PAGE,
    PageUp: -PAGE,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined || count === 0 ? undefined : Math.max(0, Math.min(count - 1, at + step));
}

/** Any number of rows of which one is picked: one tab stop, and arrow keys within. */
export function PickList<Row>({ label, rows, keyOf, children, picked, onPick, onOpen, onKey }: Props<Row>) {
  const id = useId();
  const at = rows.findIndex((row) => keyOf(row) === picked);
  const current = rows[at];
  const had = useRef(false);
  useEffect(() => {
    // What acts on the row that is picked goes with it, and with it the focus.
    if (had.current && !current && document.activeElement === document.body) document.getElementById(id)?.focus();
    had.current = current !== undefined;
  });
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = rows[rowFor(event.key, at, rows.length) ?? -1];
    if (next) {
      event.preventDefault();
      onPick(next);
    } else if (event.key === "Enter" && current) {
      event.preventDefault();
      onOpen(current);
    } else onKey?.(event.key, current);
  };
  return (
    <VirtualRows
      id={id}
      count={rows.length}
      rowHeight={ROW}
      active={at}
      role="listbox"
      aria-label={label}
      aria-activedescendant={current && `${id}-${at}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      sx={list}
    >
      {(from, to) =>
        rows.slice(from, to).map((row, index) => (
          <Box
            key={keyOf(row)}
            id={`${id}-${from + index}`}
            role="option"
            aria-selected={keyOf(row) === picked}
            aria-posinset={from + index + 1}
            aria-setsize={rows.length}
            onClick={() => onPick(row)}
            onDoubleClick={() => onOpen(row)}
            sx={option}
          >
            {children(row)}
          </Box>
        ))
      }
    </VirtualRows>
  );
}

const list = (theme: Theme) => ({
  flex: 1,
  overflowX: "hidden",
  background: theme.vars.palette.background.paper,
  // What is said in place of rows does not end in an empty sheet.
  "&:not(:has([role=option]))": { background: "transparent" },
  // All rows are as wide as the list: names are cut.
  "& [role=presentation]": { width: "100% !important" },
});

const option = (theme: Theme) => ({
  display: "flex",
  alignItems: "center",
  gap: "12px",
  height: ROW,
  padding: "0 16px",
  cursor: "default",
  "&:hover": { background: theme.vars.palette.action.hover },
  "&[aria-selected=true]": {
    background: theme.vars.palette.action.selected,
    boxShadow: `inset 3px 0 ${theme.vars.palette.primary.main}`,
  },
});
