import { limits } from "./limits.ts";

/** What the operator can set of the offer, in place of the settings, and the least and the most that each can be. */
export const priceBounds = {
  /** Cents. */
  minute_cents: { min: 0, max: limits.priceMax },
  unlimited_monthly_cents: { min: 0, max: limits.priceMax },
  /** Percent. */
  annual_discount: { min: 0, max: 100 },
  /** Cents. Less is more often than it could be charged. */
  payg_threshold_cents: { min: limits.thresholdMin, max: limits.priceMax },
  trial_minutes: { min: 0, max: limits.grantMax },
  trial_days: { min: 0, max: limits.trialDaysMax },
} as const;

export type Price = keyof typeof priceBounds;
