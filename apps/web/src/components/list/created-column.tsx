import { RelativeTime } from "../RelativeTime.tsx";
import type { ListColumn } from "./list.ts";

/** When rows were made, the newest first. `sortBy` is the service's field. */
export const createdColumn = (
  id: string,
  more: { flexWidth?: number; sortBy?: string; shown?: "first" | undefined } = {},
): ListColumn<{ created_at: string }, unknown> => ({
  id,
  flexWidth: 3,
  align: "right",
  shown: "first",
  sortBy: "created_at",
  isNewestFirst: true,
  cell: ({ created_at: time }) => <RelativeTime time={time} />,
  ...more,
});
