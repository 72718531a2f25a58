import type { Instance } from "@terrarium/contract";
import { useEffect, useRef } from "react";

/** Long enough to see that it ended. */
const LINGER_MS = 1500;

/** Takes devices that are over off the page: once they were seen to end, and never under a pointer or the focus. */
export function useDropEnded(
  rows: readonly Instance[] | undefined,
  isTouched: boolean,
  refresh: () => Promise<unknown>,
) {
  const hasEnded = rows?.some(({ state }) => state === "DELETED") ?? false;
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (!hasEnded || isTouched) return undefined;
    const timer = setTimeout(() => void latest.current(), LINGER_MS);
    return () => clearTimeout(timer);
  }, [hasEnded, isTouched]);
}
