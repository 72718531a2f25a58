import { describe, expect, it } from "vitest";
import type { Subscription, SubscriptionState } from "./billing.ts";
import {
  annualPrice,
  isCancelling,
  isRenewalFailed,
  nextPlanState,
  periodEnd,
  planKind,
  planStep,
  priceOf,
  subscriptionState,
  taxMultiplier,
  taxOn,
  taxShown,
} from "./plan-life.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const entry = (status: SubscriptionState, cancel_at_period_end = false) => ({
  status,
  cancel_at_period_end,
  created_at: "2026-03-02T09:00:00.000Z",
});
const rate = (percentage: number) => ({ percentage, display_name: "VAT", jurisdiction: "DE" });

describe("a plan's life", () => {
  it.each([
    ["ACTIVE", 0, null, undefined],
    ["ACTIVE", 0, 1, "overdue"],
    ["OVERDUE", 7 * DAY - 1, 1, undefined],
    ["OVERDUE", 7 * DAY, 1, "suspend"],
    ["OVERDUE", 7 * DAY, null, "paid"],
    ["SUSPENDED", 23 * DAY - 1, 1, undefined],
    ["SUSPENDED", 23 * DAY, 1, "end"],
    ["SUSPENDED", 23 * DAY, null, "paid"],
    ["INCOMPLETE", HOUR - 1, null, undefined],
    ["INCOMPLETE", HOUR, null, "end"],
    ["CANCELLED", 1_000 * DAY, 1, undefined],
  ] as const)("%s for %d ms, overdue %s: %s", (state, passed, overdueAt, event) => {
    expect(planStep({ state, since: 100, overdueAt }, 100 + passed)).toBe(event);
  });

  it("takes only what its state takes", () => {
    expect(nextPlanState("OVERDUE", "suspend")).toBe("SUSPENDED");
    expect(nextPlanState("ACTIVE", "suspend")).toBeUndefined();
    expect(nextPlanState("CANCELLED", "paid")).toBeUndefined();
  });
});

describe("prices", () => {
  it("are twelve months less the discount for a year, in whole cents", () => {
    expect(annualPrice(20_600, 17)).toBe(205_176);
    expect(annualPrice(333, 33)).toBe(2677);
    const prices = { minute_cents: 5, unlimited_monthly_cents: 20_600, annual_discount: 17 };
    expect([priceOf("payg", prices), priceOf("monthly", prices), priceOf("annual", prices)]).toEqual([
      5, 20_600, 205_176,
    ]);
  });

  it("have tax by a rate that is known, and show it", () => {
    expect([taxMultiplier(null), taxMultiplier(rate(0)), taxMultiplier(rate(20))]).toEqual([null, 1, 1.2]);
    expect([taxShown(null), taxShown(rate(0)), taxShown(rate(19))]).toEqual(["-", "0", "19% VAT DE"]);
    expect([taxOn(1_050, rate(19)), taxOn(-1_050, rate(19)), taxOn(100, null), taxOn(10, rate(25.5))]).toEqual([
      200, -200, 0, 3,
    ]);
  });
});

describe("periods", () => {
  it.each([
    ["payg", "2026-03-25T12:00:00Z", "2026-04-01T12:00:00Z"],
    ["monthly", "2026-01-31T12:00:00Z", "2026-02-28T12:00:00Z"],
    ["monthly", "2028-01-31T12:00:00Z", "2028-02-29T12:00:00Z"],
    ["annual", "2028-02-29T12:00:00Z", "2029-02-28T12:00:00Z"],
    ["monthly", "2026-12-15T23:59:59Z", "2027-01-15T23:59:59Z"],
  ] as const)("%s from %s end at %s", (plan, began, ended) => {
    expect(periodEnd(plan, new Date(began))).toEqual(new Date(ended));
  });

  it("come back to the day of the beginning", () => {
    const anchor = new Date("2026-01-31T12:00:00Z");
    expect(periodEnd("monthly", new Date("2026-02-28T12:00:00Z"), anchor)).toEqual(new Date("2026-03-31T12:00:00Z"));
  });
});

describe("what pages ask of a plan", () => {
  const some = { status_history: [entry("ACTIVE"), entry("ACTIVE", true)] } as Subscription;

  it("is its kind", () => {
    expect(planKind({ type: "pending", subscription: null })).toBeNull();
    expect(planKind({ type: "metered", subscription: some })).toBe("payg");
    expect(planKind({ type: "pending", subscription: some })).toBe("payg");
    expect(planKind({ type: "fixed", subscription: null })).toBe("fixed");
    expect(planKind({ type: "fixed", subscription: some })).toBe("unlimited");
  });

  it("is whether it ends, and whether its renewal failed", () => {
    expect([isCancelling(some), isCancelling({ status_history: [] })]).toEqual([true, false]);
    expect([subscriptionState(some), subscriptionState({ status_history: [] })]).toEqual(["ACTIVE", "CANCELLED"]);
    const at = "2026-03-02T09:00:00.000Z";
    expect(isRenewalFailed(undefined)).toBe(false);
    expect(isRenewalFailed({ status_history: [{ status: "PENDING", created_at: at }] })).toBe(false);
    expect(
      isRenewalFailed({
        status_history: [
          { status: "PENDING", created_at: at },
          { status: "FAILED", created_at: at },
        ],
      }),
    ).toBe(true);
  });
});
