/** Where a browser does not say when it is idle (Safari), it is taken to be by then. */
const GUESS_MS = 2_000;

/** Does something once the browser has nothing better to do. Answers how to call it off. */
export function whenIdle(act: () => void): () => void {
  if (typeof requestIdleCallback === "function") {
    const asked = requestIdleCallback(act);
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(act, GUESS_MS);
  return () => clearTimeout(timer);
}
