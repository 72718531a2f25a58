import { useEffect, useRef } from "react";

/** Keys by which somebody moves between the parts of the page. */
const MOVING = new Set(["Tab", "F6"]);

/**
 * Whether the focus that comes now comes by a key. `:focus-visible` cannot say it here: a browser takes typing on the
 * picture for a reason to draw a ring, and so does a page that puts the focus there by itself.
 */
export function useFocusByKey(): () => boolean {
  const isByKey = useRef(false);
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => (isByKey.current = MOVING.has(key));
    const onPointer = () => (isByKey.current = false);
    document.addEventListener("keydown", onKey, { capture: true });
    document.addEventListener("pointerdown", onPointer, { capture: true });
    return () => {
      document.removeEventListener("keydown", onKey, { capture: true });
      document.removeEventListener("pointerdown", onPointer, { capture: true });
    };
  }, []);
  return () => isByKey.current;
}
