import { useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "./use-debounced.ts";

/**
 * The text of a search field whose search stands in the address. It follows the keys at once, and `onSettled` is called when they rest.
 * When the address changes in another way, such as by going back, the field follows it.
 */
export function useTypedSearch(inAddress: string, onSettled: (search: string) => void) {
  const [typed, setTyped] = useState<string>();
  const [sought, setSought] = useState(inAddress);
  if (inAddress !== sought) {
    setSought(inAddress);
    if (typed?.trim() !== inAddress) setTyped(undefined);
  }
  const settle = useEffectEvent(onSettled);
  const settled = useDebounced(typed);
  useEffect(() => {
    if (settled !== undefined) settle(settled.trim());
  }, [settled]);
  return { search: typed ?? inAddress, setSearch: setTyped };
}
