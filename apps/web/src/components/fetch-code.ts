import { type Clock, systemClock } from "@terrarium/clock";

/** As long as a server takes to restart, and then some. */
const WAITS_MS = [250, 500, 1_000, 2_000, 4_000];
/** For each attempt: enough for a slow line. */
const TIMEOUT_MS = 120_000;

class TimeoutError extends Error {}

/**
 * Fetches a part of the app. A line that fails for a moment is no reason to break the page: it tries again before it gives up. After a
 * request that is not answered at all it gives up at once, as the browser would only go on waiting for the same reply.
 */
export async function fetchCode<Part>(fetch: () => Promise<Part>, clock: Clock = systemClock): Promise<Part> {
  for (const waitMs of WAITS_MS) {
    try {
      return await inTime(fetch, clock);
    } catch (error) {
      if (error instanceof TimeoutError) throw error;
      await clock.sleep(waitMs);
    }
  }
  return inTime(fetch, clock);
}

function inTime<Part>(fetch: () => Promise<Part>, clock: Clock): Promise<Part> {
  const done = new AbortController();
  const timeout = clock.sleep(TIMEOUT_MS, done.signal).then(() => {
    throw new TimeoutError("A part of the app did not arrive");
  });
  return Promise.race([fetch(), timeout]).finally(() => done.abort());
}
