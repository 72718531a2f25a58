import { useEffect, useEffectEvent, useRef } from "react";

/** Where the focus was on something that is gone it stays in the part of the page that held it, instead of at the top. */
export function useRetainedFocus(part: React.RefObject<HTMLElement | null>): void {
  const last = useRef<Element>(null);
  const restore = useEffectEvent(() => {
    if (last.current?.isConnected === false && document.activeElement === document.body) part.current?.focus();
  });
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      last.current = part.current?.contains(target as Element) ? (target as Element) : null;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [part]);
  useEffect(() => restore());
}
