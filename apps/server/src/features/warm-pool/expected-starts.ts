/** How many devices of a recipe were started: in the last minutes, and in as many minutes from now on, a day and a week ago. */
export interface Starts {
  lately: number;
  dayAgo: number;
  weekAgo: number;
}

/** What the counts cover. */
export const COUNTED_MS = 10 * 60_000;
/** Without one that was measured; a simulated device takes a second, a container a quarter of a minute. */
const USUAL_BOOT_MS = 30_000;
/** A device that is handed out is missed a moment later. */
const NOTICE_MS = 2_000;

/**
 * How many devices to hold ready, so that there is almost always one: as many as are expected to be started while the next one boots, and
 * twice the spread of such a number (Poisson's), within what the operator wants.
 */
export function wantedDevices(
  { lately, dayAgo, weekAgo }: Starts,
  { least, most, bootMs }: { least: number; most: number; bootMs: number | null },
): number {
  const expected = (Math.max(lately, dayAgo, weekAgo) * ((bootMs ?? USUAL_BOOT_MS) + NOTICE_MS)) / COUNTED_MS;
  return Math.min(most, Math.max(least, Math.ceil(expected + 2 * Math.sqrt(expected))));
}
