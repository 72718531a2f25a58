import { useEffect, useEffectEvent } from "react";

/** Long enough to see that it ended. */
const LINGER_MS = 1500;

/** Takes rows that are over off the page: once they were seen to end, and never under a pointer or the focus. */
export function useDropOver(hasOver: boolean, isTouched: boolean, refresh: () => Promise<unknown>) {
  const drop = useEffectEvent(() => void refresh());
  useEffect(() => {
    if (!hasOver || isTouched) return undefined;
    const timer = setTimeout(drop, LINGER_MS);
    return () => clearTimeout(timer);
  }, [hasOver, isTouched]);
}
