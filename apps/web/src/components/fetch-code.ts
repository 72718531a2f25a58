import { type Clock, systemClock } from "@terrarium/clock";

/** As long as a server takes that is started anew, and then some. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000];

/** Fetches a part of the app. A line that fails for a moment is no reason to break the page: it tries again before it gives up. */
export async function fetchCode<Part>(fetch: () => Promise<Part>, clock: Clock = systemClock): Promise<Part> {
  for (const waitMs of WAITS_MS) {
    try {
      return await fetch();
    } catch {
      await clock.sleep(waitMs);
    }
  }
  return fetch();
}
