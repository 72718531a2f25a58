import { type RefObject, useEffect, useRef } from "react";

/** Tells what waits for an answer whether its place on the page is still there when the answer comes. */
export function useIsHere(): Readonly<RefObject<boolean>> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return isHere;
}
