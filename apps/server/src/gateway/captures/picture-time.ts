/** A device whose clock is off by more has been stopped, or its encoder began anew. */
const MAX_DRIFT_MS = 500;

/**
 * When pictures were made, by our monotonic clock. Within a stream the device's own times are more even than those of their arrival; but
 * what it says is believed only as long as it is about right.
 */
export function pictureTime(): (ptsUs: bigint, nowMs: number) => number {
  let shiftMs: number | undefined;
  return (ptsUs, nowMs) => {
    const madeMs = Number(ptsUs) / 1000;
    if (shiftMs === undefined || Math.abs(madeMs + shiftMs - nowMs) > MAX_DRIFT_MS) shiftMs = nowMs - madeMs;
    return madeMs + shiftMs;
  };
}
