import { Checkbox, TableCell, TableHead, TableRow, TableSortLabel } from "@mui/material";
import ArrowDown from "lucide-react/icons/arrow-down";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../hidden.ts";
import { Icon } from "../Icon.tsx";
import { actionsWidthOf, columnWidth, type ListColumn } from "./list.ts";
import { nextOrdering } from "./list-address.ts";
import type { ListState } from "./use-list.ts";

/** Twentieths of the table that columns may take, with room left for the tick boxes. */
const MAX_UNITS = 19;

interface Props<Row extends object, Context> {
  state: ListState<Row, Context>;
  columns: readonly ListColumn<Row, Context>[];
}

/** Heads that sort; only the sorted one has an arrow. The one of the rows' buttons has no words in sight, and stays at the right edge. */
export function TableHeader<Row extends object, Context>({ state, columns }: Props<Row, Context>) {
  const { t } = useTranslation();
  const { list, rows = [], selected, select } = state;
  const { ordering } = state.address;
  const words = list.words(t);
  const ids = rows.map(list.idOf);
  // What hidden columns leave goes to the first one; else the browser would give it to the one of the tick boxes.
  const actionsWidth = actionsWidthOf(list);
  const units = columns.reduce((sum, { flexWidth }) => sum + flexWidth, actionsWidth);
  const isFirstFree = units < MAX_UNITS;
  const areAll = ids.length > 0 && ids.every((id) => selected.has(id));
  return (
    <TableHead>
      <TableRow>
        {list.bulk && (
          <TableCell padding="checkbox" sx={{ width: 44 }}>
            <Checkbox
              size="small"
              disabled={ids.length === 0}
              checked={areAll}
              indeterminate={selected.size > 0 && !areAll}
              onChange={() => select(new Set(areAll ? [] : ids))}
              slotProps={{ input: { "aria-label": t("common.table.selectAll") } }}
            />
          </TableCell>
        )}
        {columns.map(({ id, flexWidth, sortBy, isNewestFirst, align }, index) => {
          const direction = ordering === sortBy ? "asc" : ordering === `-${sortBy}` ? "desc" : undefined;
          return (
            <TableCell
              key={id}
              align={align ?? "left"}
              sx={{ width: isFirstFree && index === 0 ? "auto" : columnWidth(flexWidth) }}
              sortDirection={direction ?? false}
            >
              {sortBy === undefined ? (
                words.column(id)
              ) : (
                <TableSortLabel
                  active={direction !== undefined}
                  direction={direction ?? (isNewestFirst ? "desc" : "asc")}
                  IconComponent={SortArrow}
                  onClick={() => state.go({ ordering: nextOrdering(ordering, { sortBy, isNewestFirst }) })}
                >
                  {words.column(id)}
                </TableSortLabel>
              )}
            </TableCell>
          );
        })}
        {actionsWidth > 0 && (
          <TableCell sx={{ width: columnWidth(actionsWidth) }} data-pinned>
            <span style={visuallyHidden}>{words.column("actions")}</span>
          </TableCell>
        )}
      </TableRow>
    </TableHead>
  );
}

const SortArrow = ({ className }: { className?: string }) => (
  <span className={className} style={{ display: "inline-flex" }}>
    <Icon glyph={ArrowDown} size={14} />
  </span>
);
