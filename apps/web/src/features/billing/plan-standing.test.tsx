import { describe, expect, it } from "vitest";
import { anOrganization } from "../../testing/factories.ts";
import { standingOf } from "./plan-standing.ts";
import { anInvoice, aPlan, withPlan } from "./testing/plans.ts";

const now = Date.parse("2026-03-05T14:00:00.000Z");
const of = (plan: ReturnType<typeof aPlan> | null, license = {}, last = anInvoice("ACCEPTED")) =>
  standingOf(withPlan(plan, license), plan, last, now);
const warned = (...args: Parameters<typeof of>) =>
  of(...args).warnings.map(({ what, date }) => [what, date?.toISOString().slice(0, 10)]);

describe("standingOf", () => {
  it.each([
    [null, "pending", null],
    [aPlan("payg"), "metered", "payg"],
    [aPlan("annual"), "fixed", "unlimited"],
    [aPlan("monthly"), "fixed", "unlimited"],
    [null, "fixed", "fixed"],
    // It waits for its first payment.
    [aPlan("annual", { status: "INCOMPLETE" }), "pending", null],
  ] as const)("tells what an organization pays by: %#", (plan, type, kind) => {
    expect(of(plan, { type }).kind).toBe(kind);
  });

  it("warns of nothing while all is well", () => {
    expect([warned(null), warned(aPlan()), warned(aPlan("annual", { ends: true }))]).toEqual([[], [], []]);
  });

  it("says when an overdue plan is suspended, and a suspended one cancelled", () => {
    expect(warned(aPlan("payg", { status: "OVERDUE" }))).toEqual([["overdue", "2026-03-11"]]);
    expect(warned(aPlan("payg", { status: "SUSPENDED" }), { is_active: false })).toEqual([["suspended", "2026-03-27"]]);
  });

  it("says when a plan ends whose renewal failed, and that of an upfront plan only", () => {
    expect(warned(aPlan("annual"), {}, anInvoice("FAILED"))).toEqual([["renewal", "2027-03-01"]]);
    expect(warned(aPlan("payg"), {}, anInvoice("FAILED"))).toEqual([]);
    // It was asked for too late.
    const late = { ...aPlan("annual"), renewal: { price: 205_176, ends_at: "2027-03-05T09:00:00.000Z" } };
    expect(warned(late, {}, anInvoice("FAILED"))).toEqual([["renewal", "2027-03-05"]]);
  });

  it("warns of debts that no plan tells of", () => {
    const debtor = { ...anOrganization(), is_debtor: true };
    expect(standingOf(debtor, null, null, now).warnings).toEqual([{ what: "debtor" }]);
    // It says what to do, and that no device starts.
    const ended = { ...withPlan(null, { is_active: false }), is_debtor: true };
    expect(standingOf(ended, null, null, now).warnings).toEqual([{ what: "unpaid" }]);
    const overdue = aPlan("payg", { status: "OVERDUE" });
    expect(standingOf(debtor, overdue, null, now).warnings.map(({ what }) => what)).toEqual(["overdue"]);
    // The operator has taken the license away besides.
    const stopped = { ...withPlan(overdue, { is_active: false }), is_debtor: true };
    expect(standingOf(stopped, overdue, null, now).warnings.map(({ what }) => what)).toEqual(["overdue", "inactive"]);
  });

  it("warns of a license that has expired or was taken away", () => {
    expect(warned(null, { expires_at: "2026-03-05T14:00:00.000Z" })).toEqual([["expired", undefined]]);
    expect(warned(null, { expires_at: "2026-03-05T14:00:00.001Z" })).toEqual([]);
    expect(warned(null, { is_active: false })).toEqual([["inactive", undefined]]);
    expect(warned(aPlan("annual", { ends: true }), { expires_at: "2026-03-05T14:00:00.000Z" })).toEqual([
      ["ended", undefined],
    ]);
  });

  it("lets an upfront plan be restored that ends, and no other", () => {
    expect([of(aPlan("annual", { ends: true })).isEnding, of(aPlan("annual")).isEnding]).toEqual([true, false]);
    expect(
      [{}, { expires_at: "2027-01-01T00:00:00.000Z" }].map(
        (license) => of(aPlan("annual", { ends: true }), license).mayRestore,
      ),
    ).toEqual([true, false]);
  });
});
