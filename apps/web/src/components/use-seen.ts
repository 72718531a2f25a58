import { type RefObject, useEffect, useState } from "react";

/** Whether an element is in sight: within the window, and the page not hidden behind another. */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [isInWindow, setInWindow] = useState(false);
  const [isPageSeen, setPageSeen] = useState(() => globalThis.document?.visibilityState === "visible");
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new IntersectionObserver((changes) => setInWindow(changes.at(-1)?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  useEffect(() => {
    const look = () => setPageSeen(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return isInWindow && isPageSeen;
}
