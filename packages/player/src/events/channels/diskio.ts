import { wholeWithin } from "../words.ts";

export type DiskCommand = { type: "diskReadRate"; bytesPerSecond: number } | { type: "clearDiskCache" };

/** `set readbyterate <bytes a second, 0 for no limit>`, `clearcache`. */
export function parseDisk(command: string): DiskCommand | undefined {
  if (command === "clearcache") return { type: "clearDiskCache" };
  const bytesPerSecond = wholeWithin(/^set readbyterate (\d+)$/.exec(command)?.[1], 0, 1e12);
  return bytesPerSecond === undefined ? undefined : { type: "diskReadRate", bytesPerSecond };
}
