import { useEffect, useState } from "react";

/** Waiting that is shorter than this is not worth showing. */
const DELAY_MS = 300;

/** Shows what says "loading" only once loading takes a while, so that quick answers do not flash. */
export function Delayed({ children }: { children: React.ReactNode }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isDue ? children : null;
}
