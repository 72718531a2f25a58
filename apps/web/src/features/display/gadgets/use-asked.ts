import { useEffect, useState } from "react";

/** How long the device may take to report what it was asked for. After that it has the last word. */
const ANSWER_MS = 2_000;

/**
 * A value of the device that somebody is changing: what they asked for last, until the device reports the same. Its
 * reports come late, so a key that is pressed quickly would otherwise start from an old one each time.
 */
export function useAsked<Value extends object>(reported: Value): [Value, (wanted: Value) => void] {
  const [asked, ask] = useState<Value>();
  // Answered: from here on the device's own changes show at once.
  if (asked !== undefined && JSON.stringify(asked) === JSON.stringify(reported)) ask(undefined);
  useEffect(() => {
    if (asked === undefined) return undefined;
    const timer = setTimeout(() => ask(undefined), ANSWER_MS);
    return () => clearTimeout(timer);
  }, [asked]);
  return [asked ?? reported, ask];
}
