import type { Invoice, Plan, Subscription, SubscriptionState } from "./billing.ts";
import type { LicenseType } from "./limits.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The transitions of a subscription: for each state, its events and the states they lead to. */
export const planLife = {
  INCOMPLETE: { paid: "ACTIVE", end: "CANCELLED" },
  ACTIVE: { overdue: "OVERDUE", end: "CANCELLED" },
  OVERDUE: { paid: "ACTIVE", suspend: "SUSPENDED", end: "CANCELLED" },
  SUSPENDED: { paid: "ACTIVE", end: "CANCELLED" },
  CANCELLED: {},
} as const satisfies Record<SubscriptionState, Record<string, SubscriptionState>>;

export type PlanEvent = { [State in SubscriptionState]: keyof (typeof planLife)[State] }[SubscriptionState];
const life: Record<SubscriptionState, Partial<Record<PlanEvent, SubscriptionState>>> = planLife;

/** The state after `event`, or undefined if `state` does not accept it. */
export const nextPlanState = (state: SubscriptionState, event: PlanEvent): SubscriptionState | undefined =>
  life[state][event];

/** Days, if not said otherwise. */
export const planTimes = {
  /** How often a pay-as-you-go plan is billed; earlier beyond the threshold. */
  billingDays: 7,
  /** Until an invoice is to be paid. */
  dueDays: 30,
  /** From overdue to suspended, and from suspended to cancelled: 30 days after it was overdue. */
  suspendDays: 7,
  cancelDays: 23,
  /** An upfront plan is renewed this long before its period ends, so that a card that is refused can be replaced. */
  renewalDays: 1,
  /** Hours for which a start waits for the customer's confirmation at their bank. */
  confirmHours: 1,
} as const;

/**
 * When an upfront plan ends unless its renewal is paid: with its period, but a day after that was asked for at the earliest, as it may have
 * been asked for too late.
 */
export const renewalEnd = (periodEndsAt: Date, asked: Date | undefined): Date =>
  new Date(Math.max(periodEndsAt.getTime(), asked ? asked.getTime() + planTimes.renewalDays * DAY_MS : 0));

/** Where a subscription stands. Times are milliseconds since 1970. */
export interface PlanAt {
  state: SubscriptionState;
  /** Since when it is in its state. */
  since: number;
  /** Since when an invoice is overdue, as its payment failed or was due; null if none is. */
  overdueAt: number | null;
}

/**
 * The event that time or money brings about by now; undefined while there is none. A cancellation and the end of a period are not among
 * them: they depend on the plan.
 */
export function planStep({ state, since, overdueAt }: PlanAt, now: number): PlanEvent | undefined {
  const isFor = (days: number) => now >= since + days * DAY_MS;
  switch (state) {
    case "INCOMPLETE":
      return isFor(planTimes.confirmHours / 24) ? "end" : undefined;
    case "ACTIVE":
      return overdueAt === null ? undefined : "overdue";
    case "OVERDUE":
      if (overdueAt === null) return "paid";
      return isFor(planTimes.suspendDays) ? "suspend" : undefined;
    case "SUSPENDED":
      if (overdueAt === null) return "paid";
      return isFor(planTimes.cancelDays) ? "end" : undefined;
    default:
      return undefined;
  }
}

/** The end of a period that begins at a time: a week, or the same day of another month, or the last of a shorter one. UTC. */
export function periodEnd(plan: Plan, began: Date, anchor: Date = began): Date {
  if (plan === "payg") return new Date(began.getTime() + planTimes.billingDays * DAY_MS);
  const months = plan === "annual" ? 12 : 1;
  const end = new Date(began);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  // By the day on which the plan began: after February, the 31st is the 31st again.
  end.setUTCDate(Math.min(anchor.getUTCDate(), last));
  return end;
}

/** The price of a device for a year: that of twelve months, less the discount in percent. Cents. */
export const annualPrice = (monthly: number, discount: number): number =>
  Math.round((12 * monthly * (100 - discount)) / 100);

export interface Prices {
  minute_cents: number;
  unlimited_monthly_cents: number;
  annual_discount: number;
}

/** Of a minute, of a device for a month, or of a device for a year. Cents. */
export function priceOf(plan: Plan, prices: Prices): number {
  if (plan === "payg") return prices.minute_cents;
  return plan === "monthly"
    ? prices.unlimited_monthly_cents
    : annualPrice(prices.unlimited_monthly_cents, prices.annual_discount);
}

/** By what a price is multiplied to have the tax in it; null where the rate is not known. */
export const taxMultiplier = (rate: { percentage: number } | null): number | null =>
  rate === null ? null : rate.percentage === 0 ? 1 : 1 + rate.percentage / 100;

/** The tax on an amount. Cents, half a cent rounded up. */
export const taxOn = (net: number, rate: { percentage: number } | null): number =>
  Math.sign(net) * Math.round((Math.abs(net) * (rate?.percentage ?? 0)) / 100);

/** What is shown of the tax: "-" while it is not known, "0" where there is none, otherwise the rate and whose it is. */
export function taxShown(rate: { percentage: number; display_name: string; jurisdiction: string } | null): string {
  const multiplier = taxMultiplier(rate);
  if (rate === null || multiplier === null) return "-";
  return multiplier > 1 ? `${rate.percentage}% ${rate.display_name} ${rate.jurisdiction}` : "0";
}

export type PlanKind = "payg" | "fixed" | "unlimited";

/** What an organization pays by; null before it has chosen. */
export function planKind(license: { type: LicenseType; subscription: Subscription | null }): PlanKind | null {
  if (license.type === "fixed") return license.subscription ? "unlimited" : "fixed";
  return license.subscription ? "payg" : null;
}

/** Whether a plan ends with its period, and can be restored until then. */
export const isCancelling = ({ status_history }: Pick<Subscription, "status_history">): boolean =>
  status_history.at(-1)?.cancel_at_period_end ?? false;

/** Where a subscription stands. */
export const subscriptionState = ({ status_history }: Pick<Subscription, "status_history">): SubscriptionState =>
  status_history.at(-1)?.status ?? "CANCELLED";

/** Whether the last invoice of an upfront plan could not be charged: the plan ends with its period unless it is paid. */
export const isRenewalFailed = (last: Pick<Invoice, "status_history"> | undefined): boolean =>
  last?.status_history.at(-1)?.status === "FAILED";
