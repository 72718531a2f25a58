import { systemClock } from "@terrarium/clock";

/** Up to this difference the two agree: a reply has whole seconds, and takes its time. */
const NEAR_MS = 5_000;

let aheadMs = 0;

/** Notes what time it is at the service. Milliseconds since 1970. */
export function noteServiceTime(time: number): void {
  const ahead = time - systemClock.now();
  if (Math.abs(ahead - aheadMs) > NEAR_MS) aheadMs = Math.abs(ahead) > NEAR_MS ? ahead : 0;
}

/**
 * What time it is at the service, by which things there begin and end; milliseconds since 1970. A laptop's clock may be wrong, and that of
 * a demonstration is moved.
 */
export const serviceNow = (): number => systemClock.now() + aheadMs;
