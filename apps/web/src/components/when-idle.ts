/** By then it is done, busy or not: a page in the background gets idle time only every 10 s, and in Safari it never does. */
const LATEST_MS = 2_000;

/** Does something once the browser has nothing better to do, 2 s from now at the latest. Returns how to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const asked = requestIdleCallback(act, { timeout: LATEST_MS });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(act, LATEST_MS);
  return () => clearTimeout(timer);
}
