import { Skeleton, TableCell, TableRow } from "@mui/material";
import { Delayed } from "../Delayed.tsx";

interface Props {
  columns: number;
  rows: number;
  isSelectable: boolean;
}

/** Rows to come, shaped like rows. */
export function TableSkeleton({ columns, rows, isSelectable }: Props) {
  return (
    <Delayed>
      {Array.from({ length: rows }, (_, row) => (
        <TableRow key={row} aria-hidden="true">
          {isSelectable && <TableCell padding="checkbox" />}
          {Array.from({ length: columns }, (_cell, column) => (
            <TableCell key={column}>
              <Skeleton animation={false} width={`${column === 0 ? 60 + ((row * 17) % 30) : 50}%`} />
            </TableCell>
          ))}
        </TableRow>
      ))}
    </Delayed>
  );
}
