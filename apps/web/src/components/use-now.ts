import { useEffect, useState } from "react";
import { serviceNow } from "./service-time.ts";

/** What time it is for the service, read again every so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
