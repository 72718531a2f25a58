/** What browsers count as somebody being there. */
const touches = ["pointerup", "keydown"] as const;

/**
 * Does something as soon as the page may be heard, which browsers allow once somebody has pressed something in it: at once, or then. Calls it
 * off when the signal aborts.
 */
export function onceTouched(signal: AbortSignal, act: () => void): void {
  if ((navigator.userActivation as UserActivation | undefined)?.hasBeenActive) return act();
  const done = new AbortController();
  for (const touch of touches)
    globalThis.addEventListener(
      touch,
      () => {
        done.abort();
        act();
      },
      { signal: AbortSignal.any([signal, done.signal]), capture: true },
    );
}
