import { useEffect, useRef } from "react";

/** Long enough to see that it ended. */
const LINGER_MS = 1500;

/** Takes rows that are over off the page: once they were seen to end, and never under a pointer or the focus. */
export function useDropOver(hasOver: boolean, isTouched: boolean, refresh: () => Promise<unknown>) {
  const latest = useRef(refresh);
  useEffect(() => {
    latest.current = refresh;
  });
  useEffect(() => {
    if (!hasOver || isTouched) return undefined;
    const timer = setTimeout(() => void latest.current(), LINGER_MS);
    return () => clearTimeout(timer);
  }, [hasOver, isTouched]);
}
