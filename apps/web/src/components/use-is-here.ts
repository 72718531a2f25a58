import { type RefObject, useEffect, useRef } from "react";

/** Whether a component is still on the page when the answer that it waits for comes. */
export function useIsHere(): Readonly<RefObject<boolean>> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => void (isHere.current = false);
  }, []);
  return isHere;
}
