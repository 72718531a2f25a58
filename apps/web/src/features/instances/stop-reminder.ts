import type { Timeouts } from "@terrarium/contract";

/** What ends a device that its guest forgets: nothing, being idle, its longest run, or whichever comes first. */
export function reminderOf({ inactivity, global }: Timeouts): "none" | "inactivity" | "global" | "both" {
  if (global === 0) return inactivity === 0 ? "none" : "inactivity";
  return inactivity === 0 || global <= inactivity ? "global" : "both";
}
