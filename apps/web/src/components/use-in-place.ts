import { useState } from "react";

/**
 * Whether all that stands above a part of a page has been read, well or not. Shown before, the part would move under a finger that is about
 * to press it. True from then on.
 */
export function useInPlace(above: readonly { isPending: boolean }[]): boolean {
  const [isInPlace, setInPlace] = useState(false);
  if (!isInPlace && above.every(({ isPending }) => !isPending)) setInPlace(true);
  return isInPlace;
}
