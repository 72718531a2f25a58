import type { TFunction } from "i18next";
import { duration } from "./dates.ts";

/** "30 minutes", "2 hours". */
export function sayDuration(minutes: number, t: TFunction): string {
  const { count, unit } = duration(minutes);
  return t(`common.${unit}`, { count });
}
