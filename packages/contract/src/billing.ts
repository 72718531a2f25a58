import { z } from "zod";
import { Time, Uuid } from "./fields.ts";

/** What an organization may subscribe to: paid by the minute when used, or for a number of devices in advance. */
export const plans = ["payg", "monthly", "annual"] as const;
export type Plan = (typeof plans)[number];

export const currencies = ["USD", "EUR"] as const;
export const Currency = z.enum(currencies);
export type Currency = z.infer<typeof Currency>;

/** An amount of money in the smallest unit of its currency. */
export const Cents = z.int().meta({ description: "In hundredths of the currency" });

/** What a tax rate is called where a business accounts for the tax itself. */
export const REVERSE_CHARGE = "Reverse charge";

/** What it is called where the operator has agreed on none. */
export const EXEMPT = "Exempt";

/** Where a subscription stands. An overdue one still runs; a suspended one starts no devices; a cancelled one has ended. */
export const subscriptionStates = ["INCOMPLETE", "ACTIVE", "OVERDUE", "SUSPENDED", "CANCELLED"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const Subscription = z.object({
  uuid: Uuid,
  plan: z.enum(plans),
  quantity: z
    .int()
    .meta({ description: "How many devices may run at once; 1 for pay-as-you-go, whose limit is the organization's" }),
  is_active: z.boolean(),
  cancel_at_period_end: z.boolean(),
  current_period_start: Time,
  current_period_end: Time.meta({ description: "When it is billed next, renewed, or ends" }),
  renewal: z
    .object({
      price: Cents.meta({ description: "Of a device for the next period" }),
      ends_at: Time.meta({ description: "When the plan ends unless that is paid" }),
    })
    .nullable()
    .meta({ description: "Of an upfront plan" }),
  items: z.array(
    z.object({
      quantity: z.int(),
      plan: z.object({
        id: z.enum(plans),
        price: Cents.meta({ description: "Of a minute, of a device for a month, or of a device for a year" }),
        currency: Currency,
        interval: z.enum(["minute", "month", "year"]),
        usage_type: z.enum(["metered", "licensed"]),
      }),
    }),
  ),
  status_history: z
    .array(z.object({ status: z.enum(subscriptionStates), cancel_at_period_end: z.boolean(), created_at: Time }))
    .meta({ description: "The oldest first" }),
  created_at: Time,
  ended_at: Time.nullable(),
});
export type Subscription = z.infer<typeof Subscription>;

export const invoiceStates = [
  "PENDING",
  "FAILED",
  "ACCEPTED",
  "VOID",
  "UNCOLLECTIBLE",
  "REFUNDED",
  "PARTIALLY_REFUNDED",
  "UNKNOWN",
] as const;
export type InvoiceState = (typeof invoiceStates)[number];

export const Invoice = z.object({
  uuid: Uuid,
  created_at: Time,
  amount: Cents.meta({ description: "With tax" }),
  currency: Currency,
  status_history: z
    .array(z.object({ status: z.enum(invoiceStates), created_at: Time }))
    .meta({ description: "The oldest first" }),
  ref_transaction: z
    .object({ uuid: Uuid, amount: Cents })
    .nullable()
    .meta({ description: "The credit note of what was paid back" }),
  invoice_number: z.string(),
  invoice_ready: z.boolean().meta({ description: "Whether its PDF can be fetched" }),
  payment_url: z.string().nullable().meta({ description: "Where one that failed is paid" }),
  plan: z.object({ usage_type: z.enum(["metered", "licensed"]) }),
  period_start: Time,
  period_end: Time,
  due_at: Time,
});
export type Invoice = z.infer<typeof Invoice>;

/** The state of an invoice that customers see: what was paid back wins, then the last of its history. */
export function invoiceState({
  amount,
  status_history,
  ref_transaction,
}: Pick<Invoice, "amount" | "status_history" | "ref_transaction">): InvoiceState {
  if (ref_transaction) return ref_transaction.amount < amount ? "PARTIALLY_REFUNDED" : "REFUNDED";
  return status_history.at(-1)?.status ?? "UNKNOWN";
}
