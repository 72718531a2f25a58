import { type RefCallback, useCallback, useEffect, useRef } from "react";

/** So far ahead, in pixels, that more is there before one comes to it. */
const AHEAD_PX = 300;

/** Acts when an element comes into sight within its parent, which scrolls. With another `key` it is another element, and looked at again. */
export function useInSight(act: () => void): RefCallback<Element> {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((element: Element | null) => {
    if (!element) return undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        if (changes.at(-1)?.isIntersecting) latest.current();
      },
      { root: element.parentElement, rootMargin: `0px 0px ${AHEAD_PX}px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}
