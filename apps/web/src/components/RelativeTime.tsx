import { useEffect, useState } from "react";
import { dateTime, relativeTime } from "./dates.ts";

const EVERY_MS = 30_000;

/** How long ago something was, kept true while it is shown. */
export function RelativeTime({ time }: { time: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={dateTime(time, "")}>
      {relativeTime(time, now)}
    </time>
  );
}
