import { useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "./use-debounced.ts";

/**
 * The text of a search field whose search stands in the address. It follows the keys at once, and `onSettled` is called when they rest, or
 * when the field is left: who presses a link at once would otherwise be brought back while the page behind it loads. When the address
 * changes in another way, such as by going back, the field follows it.
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
  const settle = (search: string | undefined) => {
    if (search !== undefined && search !== inAddress) onSettled(search);
  };
  const settleRested = useEffectEvent(settle);
  useEffect(() => settleRested(settled), [settled]);
  return { search: typed ?? inAddress, setSearch: setTyped, leaveSearch: () => settle(typed?.trim()) };
}
