import { useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "./use-debounced.ts";

/**
 * The text of a search field whose search stands in the address. It follows the keys at once, and `onSettled` is called when they rest.
 * When the address changes in another way, such as by going back, the field follows it.
 */
export function useTypedSearch(inAddress: string, onSettled: (search: string) => void) {
  const [typed, setTyped] = useState<string>();
  const [sought, setSought] = useState(inAddress);
  const settled = useDebounced(typed)?.trim();
  if (inAddress !== sought) {
    setSought(inAddress);
    // What settled may reach the address late, when more has been typed already.
    if (inAddress !== settled) setTyped(undefined);
  }
  const settle = useEffectEvent(onSettled);
  useEffect(() => {
    if (settled !== undefined) settle(settled);
  }, [settled]);
  return { search: typed ?? inAddress, setSearch: setTyped };
}
