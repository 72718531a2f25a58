import { Skeleton, TableCell, TableRow } from "@mui/material";
import { Delayed } from "./Delayed.tsx";

/** Rows to come, shaped like rows. */
export function TableSkeleton({ columns, rows }: { columns: readonly { id: string }[]; rows: number }) {
  return (
    <Delayed>
      {Array.from({ length: rows }, (_, row) => (
        <TableRow key={row} aria-hidden="true">
          <TableCell padding="checkbox" />
          {columns.map(({ id }, column) => (
            <TableCell key={id}>
              <Skeleton animation={false} width={`${column === 0 ? 60 + ((row * 17) % 30) : 50}%`} />
            </TableCell>
          ))}
        </TableRow>
      ))}
    </Delayed>
  );
}
