import { clampQuota, isQuotaDisabled, isQuotaRequired, type QuotaPlace } from "@terrarium/contract";

/** Where the devices of a group come from: the parent's pool, or a number of its own. */
export type QuotaMode = "pool" | "custom";

/** What was chosen, or what alone can be where the group is. */
export const modeOf = (place: QuotaPlace, chosen: QuotaMode): QuotaMode => {
  if (isQuotaDisabled(place)) return "pool";
  return isQuotaRequired(place) ? "custom" : chosen;
};

/** What a form sends for what was chosen and typed: the nearest that can be, or null for the pool. */
export const allocationOf = (place: QuotaPlace, chosen: QuotaMode, typed: string): number | null =>
  modeOf(place, chosen) === "pool" ? null : clampQuota(place, Number(typed));
