import type { Instance } from "@terrarium/contract";
import { useEffect, useRef, useState } from "react";

const none: ReadonlySet<string> = new Set();

/** Which rows are marked as new. The mark stays until the next click. */
export function useFreshRows(rows: readonly Instance[] | undefined) {
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
    markFresh: (uuid: string) => setFresh(new Set([uuid])),
    /** Marks what `refresh` brought. */
    markNewOf: async (refresh: () => Promise<readonly Instance[]>) => {
      const before = new Set(latest.current?.map(({ uuid }) => uuid));
      const after = await refresh();
      setFresh(new Set(after.map(({ uuid }) => uuid).filter((uuid) => !before.has(uuid))));
    },
  };
}
