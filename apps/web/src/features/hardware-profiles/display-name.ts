import { displayCounts, type DisplayMode } from "@terrarium/contract";
import type { TFunction } from "i18next";

/** What a display of a profile is called: by its part where the mode gives it one, or else by its number. */
export function displayName(t: TFunction, mode: DisplayMode, index: number, count: number): string {
  if (mode === "FOLDABLE" && index < displayCounts.FOLDABLE.max)
    return t(`hardwareProfiles.displays.${index === 0 ? "inner" : "cover"}`);
  return count === 1 ? t("hardwareProfiles.displays.only") : t("hardwareProfiles.displays.nth", { number: index + 1 });
}
