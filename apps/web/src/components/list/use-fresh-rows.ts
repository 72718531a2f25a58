import { useEffect, useRef, useState } from "react";

const none: ReadonlySet<string> = new Set();

/** Which rows are marked as new. The mark stays until the next click. */
export function useFreshRows<Row>(rows: readonly Row[] | undefined, idOf: (row: Row) => string) {
  const [fresh, setFresh] = useState(none);
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  }, [rows]);
  useEffect(() => {
    if (fresh.size === 0) return undefined;
    const forget = () => setFresh(none);
    document.addEventListener("pointerdown", forget, { once: true });
    return () => document.removeEventListener("pointerdown", forget);
  }, [fresh]);
  return {
    fresh,
    markFresh: (ids: readonly string[]) => setFresh(new Set(ids)),
    /** Marks what `refresh` brought. */
    markNewOf: async (refresh: () => Promise<readonly Row[]>) => {
      const before = new Set(latest.current?.map(idOf));
      const after = await refresh();
      setFresh(new Set(after.map(idOf).filter((id) => !before.has(id))));
    },
  };
}
