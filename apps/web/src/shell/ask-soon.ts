import { type Clock, systemClock } from "@terrarium/clock";
import type { QueryKey } from "@tanstack/react-query";

/** Several things often change at once; the sums they change are asked for once. */
const DELAY_MS = 300;

/**
 * Gathers keys and hands them to `ask` 300 ms after the first of them. Further keys do not put that off: events that never
 * pause would hold it up for ever. What comes while `ask` is under way waits until that has its answer, as asking again takes the answer
 * away: on a slow line none would ever arrive.
 */
export function askSoon(
  ask: (keys: readonly QueryKey[]) => Promise<unknown>,
  clock: Clock = systemClock,
): (keys: readonly QueryKey[]) => void {
  const waiting = new Set<QueryKey>();
  let isAsking = false;
  const askAll = async () => {
    isAsking = true;
    while (waiting.size > 0) {
      await clock.sleep(DELAY_MS);
      const due = [...waiting];
      waiting.clear();
      await ask(due).catch(() => undefined);
    }
    isAsking = false;
  };
  return (keys) => {
    for (const key of keys) waiting.add(key);
    if (!isAsking) void askAll();
  };
}
