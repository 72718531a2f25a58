import { Box, Checkbox, TableCell, TableHead, TableRow, TableSortLabel } from "@mui/material";
import ArrowDown from "lucide-react/icons/arrow-down";
import { useTranslation } from "react-i18next";
import { visuallyHidden } from "../hidden.ts";
import { Icon } from "../Icon.tsx";
import { nextOrdering } from "./list-address.ts";

export interface Head {
  id: string;
  label: string;
  /** As a part of the table: "15%". */
  width: string;
  align?: "right";
  sortBy?: string;
  isNewestFirst?: boolean;
  /** The rows' buttons: no words in sight, and it stays at the right edge while the others scroll. */
  isActions?: boolean;
}

interface Props {
  heads: readonly Head[];
  ordering: string;
  onOrder: (ordering: string) => void;
  /** Selects all rows of the page or none; not given where rows cannot be selected. */
  all?: { isOff: boolean; isOn: boolean; isSome: boolean; toggle: () => void };
}

/** Heads that sort; only the sorted one has an arrow. */
export function TableHeader({ heads, ordering, onOrder, all }: Props) {
  const { t } = useTranslation();
  return (
    <TableHead>
      <TableRow>
        {all && (
          <TableCell padding="checkbox" sx={{ width: 44 }}>
            <Checkbox
              size="small"
              disabled={all.isOff}
              checked={all.isOn}
              indeterminate={all.isSome && !all.isOn}
              onChange={all.toggle}
              slotProps={{ input: { "aria-label": t("common.table.selectAll") } }}
            />
          </TableCell>
        )}
        {heads.map(({ id, label, width, sortBy, isNewestFirst, isActions, align }) => {
          const direction = ordering === sortBy ? "asc" : ordering === `-${sortBy}` ? "desc" : undefined;
          return (
            <TableCell
              key={id}
              align={align ?? "left"}
              sx={{ width }}
              data-pinned={isActions}
              sortDirection={direction ?? false}
            >
              {sortBy === undefined ? (
                <Box component="span" sx={isActions ? visuallyHidden : undefined}>
                  {label}
                </Box>
              ) : (
                <TableSortLabel
                  active={direction !== undefined}
                  direction={direction ?? (isNewestFirst ? "desc" : "asc")}
                  IconComponent={SortArrow}
                  onClick={() => onOrder(nextOrdering(ordering, { sortBy, isNewestFirst }))}
                >
                  {label}
                </TableSortLabel>
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
