import type { Invoice, Organization, Plan, Subscription, SubscriptionState } from "@terrarium/contract";
import { anId, anOrganization } from "../../../testing/factories.ts";

const began = "2026-03-01T09:00:00.000Z";
const ends = {
  payg: "2026-03-08T09:00:00.000Z",
  monthly: "2026-04-01T09:00:00.000Z",
  annual: "2027-03-01T09:00:00.000Z",
};

/** A plan since the first of March, with where it stands since the fourth. */
export function aPlan(
  plan: Plan = "payg",
  {
    status = "ACTIVE",
    ends: isEnding = false,
    quantity = 1,
  }: { status?: SubscriptionState; ends?: boolean; quantity?: number } = {},
): Subscription {
  const interval = ({ payg: "minute", monthly: "month", annual: "year" } as const)[plan];
  const price = { payg: 5, monthly: 20_600, annual: 205_176 }[plan];
  return {
    uuid: anId(),
    plan,
    quantity,
    is_active: true,
    cancel_at_period_end: isEnding,
    current_period_start: began,
    current_period_end: ends[plan],
    renewal: plan === "payg" ? null : { price, ends_at: ends[plan] },
    items: [
      {
        quantity,
        plan: { id: plan, price, currency: "USD", interval, usage_type: plan === "payg" ? "metered" : "licensed" },
      },
    ],
    status_history: [
      { status: "ACTIVE", cancel_at_period_end: false, created_at: began },
      { status, cancel_at_period_end: isEnding, created_at: "2026-03-04T09:00:00.000Z" },
    ],
    created_at: began,
    ended_at: null,
  };
}

/** An organization whose license is as a plan makes it. */
export function withPlan(plan: Subscription | null, license: Partial<Organization["license"]> = {}): Organization {
  const organization = anOrganization();
  const type = plan === null ? "pending" : plan.plan === "payg" ? "metered" : "fixed";
  return {
    ...organization,
    license: { ...organization.license, type, subscription: plan, minuteBalance: 42, ...license },
  };
}

export const anInvoice = (status: Invoice["status_history"][number]["status"]): Invoice => ({
  uuid: anId(),
  created_at: began,
  amount: 5_000,
  currency: "USD",
  status_history: [{ status, created_at: began }],
  ref_transaction: null,
  invoice_number: "2026-00001",
  invoice_ready: true,
  payment_url: null,
  plan: { usage_type: "licensed" },
  period_start: began,
  period_end: began,
  due_at: began,
});
