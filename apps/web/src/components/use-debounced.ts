import { searchDebounceMs } from "@terrarium/contract";
import { useEffect, useState } from "react";

/** The value once it has rested, so that a service is not asked at each key. */
export function useDebounced<Value>(value: Value, delayMs: number = searchDebounceMs): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
