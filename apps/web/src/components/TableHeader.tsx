import { Box, Checkbox, TableCell, TableHead, TableRow, TableSortLabel } from "@mui/material";
import { visuallyHidden } from "./hidden.ts";
import ArrowDown from "lucide-react/icons/arrow-down";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";

export interface Sorting {
  id: string;
  desc: boolean;
}

export interface DataColumn<Row> {
  id: string;
  label: string;
  /** The head has no words of its own, such as that of the row's buttons. */
  isLabelHidden?: boolean;
  /** As a part of the table: "15%". */
  width: string;
  align?: "left" | "right" | undefined;
  /** Stays at the right edge while the others scroll. */
  isPinned?: boolean;
  isSortable?: boolean;
  cell: (row: Row) => React.ReactNode;
}

interface Props {
  columns: readonly Omit<DataColumn<never>, "cell">[];
  sorting: Sorting;
  onSort: (id: string) => void;
  /** There is something to select. */
  hasRows: boolean;
  isAll: boolean;
  isSome: boolean;
  onToggleAll: () => void;
}

/** Heads that sort; only the sorted one has an arrow. */
export function TableHeader({ columns, sorting, onSort, hasRows, isAll, isSome, onToggleAll }: Props) {
  const { t } = useTranslation();
  return (
    <TableHead>
      <TableRow>
        <TableCell padding="checkbox" sx={{ width: 44 }}>
          <Checkbox
            size="small"
            disabled={!hasRows}
            checked={isAll}
            indeterminate={isSome && !isAll}
            onChange={onToggleAll}
            slotProps={{ input: { "aria-label": t("common.table.selectAll") } }}
          />
        </TableCell>
        {columns.map(({ id, label, width, align = "left", isSortable, isLabelHidden, isPinned }) => {
          const isSorted = sorting.id === id;
          const direction = sorting.desc ? "desc" : "asc";
          return (
            <TableCell
              key={id}
              align={align}
              sx={{ width }}
              data-pinned={isPinned || undefined}
              sortDirection={isSorted ? direction : false}
            >
              {isSortable ? (
                <TableSortLabel
                  active={isSorted}
                  direction={isSorted ? direction : "asc"}
                  IconComponent={SortArrow}
                  onClick={() => onSort(id)}
                >
                  {label}
                </TableSortLabel>
              ) : (
                <Box component="span" sx={isLabelHidden ? visuallyHidden : undefined}>
                  {label}
                </Box>
              )}
            </TableCell>
          );
        })}
      </TableRow>
    </TableHead>
  );
}

const SortArrow = ({ className }: { className?: string }) => (
  <span className={className} style={{ display: "inline-flex" }}>
    <Icon glyph={ArrowDown} size={14} />
  </span>
);
