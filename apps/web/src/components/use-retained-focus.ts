import { useEffect, useRef } from "react";

/** Where the focus was on something that is gone it stays in the part of the page that held it, instead of at the top. Given to the part. */
export function useRetainedFocus<Part extends HTMLElement>() {
  const part = useRef<Part>(null);
  const last = useRef<Element>(null);
  useEffect(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body) part.current?.focus();
  });
  return {
    ref: part,
    // React's events also come from what opens over the page.
    onFocus: ({ target }: React.FocusEvent) => void (last.current = target),
    onBlur: ({ relatedTarget }: React.FocusEvent) => {
      if (relatedTarget) last.current = null;
    },
  };
}
