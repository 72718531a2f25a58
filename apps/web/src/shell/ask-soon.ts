import { type Clock, systemClock } from "@terrarium/clock";
import type { QueryKey } from "@tanstack/react-query";

/** Several things often change at once; the sums they change are asked for once. */
const DELAY_MS = 300;

/**
 * Gathers keys and hands them to `ask` 300 ms after the first of them. Further keys do not put that off: events that never
 * pause would hold it up for ever.
 */
export function askSoon(
  ask: (keys: readonly QueryKey[]) => void,
  clock: Clock = systemClock,
): (keys: readonly QueryKey[]) => void {
  const waiting = new Set<QueryKey>();
  return (keys) => {
    const isScheduled = waiting.size > 0;
    for (const key of keys) waiting.add(key);
    if (isScheduled || waiting.size === 0) return;
    void clock.sleep(DELAY_MS).then(() => {
      const due = [...waiting];
      waiting.clear();
      ask(due);
    });
  };
}
