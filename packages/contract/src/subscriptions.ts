import { z } from "zod";
import { Cents, Currency, plans, Subscription } from "./billing.ts";
import { ByUuid, Flag, integerWithin, pageOf, Time } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { routes } from "./routes.ts";

/** What an organization has for free, and what its use comes to that is not billed yet. */
export const Balance = z.object({
  minutes: z.int().meta({ description: "Free minutes that are left" }),
  amount: Cents.meta({ description: "Of what is used and not billed yet, without tax" }),
  waiting: Cents.meta({
    description: "Of invoices that were too small to be charged alone, with tax: the next charge pays them",
  }),
  currency: Currency,
});
export type Balance = z.infer<typeof Balance>;

export const PlanUsage = z.object({
  period_start: Time,
  period_end: Time.meta({ description: "When it is billed, or ends" }),
  minutes: z.int().meta({ description: "All that devices ran, each begun minute of a device" }),
  free_minutes: z.int().meta({ description: "Those of them that the balance covers" }),
  billed_minutes: z.int().meta({ description: "Those that are to be paid; none of an upfront plan" }),
  current_usage_cents: Cents.meta({ description: "For these, without tax" }),
  threshold_cents: Cents.nullable().meta({
    description: "What pay-as-you-go is billed at before its period ends; null of an upfront plan",
  }),
  currency: Currency,
});
export type PlanUsage = z.infer<typeof PlanUsage>;

/** What existing clients call pay-as-you-go. */
const alsoPayg = ["pay-as-you-go", "metered"];
const PlanToStart = z.preprocess((value: string) => (alsoPayg.includes(value) ? "payg" : value), z.enum(plans));

export const subscriptionsTag = tag("Billing", "Plans", "What your organization pays for.");

export const subscriptions = routes({
  balance: {
    method: "GET",
    path: "/v1/billing/balance",
    summary: "The free minutes that your organization has left, and what it owes since the last invoice",
    access: "manager",
    scope: "admin",
    reply: Balance,
  },
  list: {
    method: "GET",
    path: "/v1/billing/subscriptions",
    summary: "The plans that your organization has or had, the newest first",
    access: "manager",
    scope: "admin",
    query: z.object({
      is_active: Flag.optional().meta({ description: "Only those that have not ended, or that have" }),
    }),
    reply: pageOf(Subscription),
  },
  create: {
    method: "POST",
    path: "/v1/billing/subscriptions",
    summary:
      "Start a plan: pay-as-you-go, or a number of devices for a month or a year, which is charged at once. Where the bank asks the customer to confirm, requires_action has what the payment provider's form in the browser needs",
    access: "manager",
    audit: ["subscription.start"],
    body: z.object({
      plan: PlanToStart,
      quantity: integerWithin({ min: 1, max: limits.upfrontDevices })
        .default(1)
        .meta({ description: "Devices of an upfront plan" }),
      price: z.int().min(0).optional().meta({
        description:
          "Cents of a minute, or of a device for the period, as the customer has seen it: refused if it is another by now",
      }),
      total: z.int().min(0).optional().meta({
        description:
          "Cents that an upfront plan charges at once, with tax and what waited for it, as the customer has seen it: refused likewise",
      }),
    }),
    status: 201,
    reply: Subscription.extend({ requires_action: z.object({ client_secret: z.string() }).nullable() }),
    fails: [
      "BILLING_ADDRESS_MISSING",
      "PAYMENT_METHOD_MISSING",
      "UNPAID_INVOICES",
      "OTHER_PLAN_ACTIVE",
      "INVALID_LICENSE",
      "PRICE_CHANGED",
      "TOO_MANY_RUNNING_VDS",
      "CARD_REFUSED",
    ],
  },
  edit: {
    method: "PUT",
    path: "/v1/billing/subscriptions/:uuid",
    summary: "Let an upfront plan end with its period, or restore it before that",
    access: "manager",
    audit: ["subscription.edit"],
    params: ByUuid,
    body: z.object({ cancel_at_period_end: z.boolean() }),
    reply: Subscription,
    fails: ["SUBSCRIPTION_NOT_FOUND", "SUBSCRIPTION_ENDED", "PLAN_HAS_NO_PERIOD", "LICENSE_ENDS"],
  },
  cancel: {
    method: "DELETE",
    path: "/v1/billing/subscriptions/:uuid",
    summary:
      "Cancel a plan. Pay-as-you-go ends at once: what was used is billed, and all devices stop. An upfront plan ends with its period",
    access: "manager",
    audit: ["subscription.cancel"],
    params: ByUuid,
    reply: Subscription,
    fails: ["SUBSCRIPTION_NOT_FOUND", "SUBSCRIPTION_ENDED"],
  },
  usage: {
    method: "GET",
    path: "/v1/billing/subscriptions/:uuid/usage",
    summary: "What a plan's devices ran in the present period, or the last one",
    access: "manager",
    scope: "admin",
    params: ByUuid,
    reply: PlanUsage,
    fails: ["SUBSCRIPTION_NOT_FOUND"],
  },
});
