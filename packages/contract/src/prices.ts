import { limits } from "./limits.ts";

/** What the operator can set of the offer, in place of the settings, and the most that each can be. */
export const priceBounds = {
  /** Cents. */
  minute_cents: limits.priceMax,
  unlimited_monthly_cents: limits.priceMax,
  /** Percent. */
  annual_discount: 100,
  /** Cents. */
  payg_threshold_cents: limits.priceMax,
  trial_minutes: limits.grantMax,
  trial_days: limits.trialDaysMax,
} as const;

export type Price = keyof typeof priceBounds;
