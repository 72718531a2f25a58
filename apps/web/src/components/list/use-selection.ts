import { useRef } from "react";
import type { ListState } from "./use-list.ts";

/**
 * Selects a row or takes it off the selection; with Shift, selects all between it and the last one that was chosen. The event is that
 * of the click or key.
 */
export function useSelection<Row extends object, Context>({
  list,
  rows = [],
  selected,
  select,
}: ListState<Row, Context>) {
  const last = useRef<string>(undefined);
  const ids = rows.map(list.idOf);
  return (id: string, { shiftKey }: { shiftKey?: boolean }) => {
    const from = shiftKey && last.current !== undefined ? ids.indexOf(last.current) : -1;
    last.current = id;
    const to = ids.indexOf(id);
    if (from !== -1) select(new Set([...selected, ...ids.slice(Math.min(from, to), Math.max(from, to) + 1)]));
    else if (selected.has(id)) select(new Set([...selected].filter((each) => each !== id)));
    else select(new Set([...selected, id]));
  };
}
