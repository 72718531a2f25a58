import { useEffect, useState } from "react";

/** How long a person pauses between words. */
const SEARCH_PAUSE_MS = 300;

/** The value once it has rested, so that a service is not asked at each key. */
export function useDebounced<Value>(value: Value, delayMs: number = SEARCH_PAUSE_MS): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
