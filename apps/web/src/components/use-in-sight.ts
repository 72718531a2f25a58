import { type RefObject, useEffect, useRef } from "react";

/** So far ahead, in pixels, that more is there before one comes to it. */
const AHEAD_PX = 300;

/**
 * Acts when an element comes into sight within its parent, which scrolls; and again after each change of `content` while it is
 * in sight, so that a list that does not fill its place goes on.
 */
export function useInSight<Seen extends Element>(act: () => void, content: unknown): RefObject<Seen | null> {
  const element = useRef<Seen>(null);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(
      (changes) => {
        if (changes.at(-1)?.isIntersecting) latest.current();
      },
      { root: element.current.parentElement, rootMargin: `0px 0px ${AHEAD_PX}px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [content]);
  return element;
}
