import { z } from "zod";
import { Cents, Currency, Invoice, Subscription } from "./billing.ts";
import { ByUuid, integerWithin, Name, pageOf, Time, Uuid } from "./fields.ts";
import { invoices } from "./invoices.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Organization } from "./organizations.ts";
import { routes } from "./routes.ts";
import { type Price, priceBounds } from "./prices.ts";
import { Balance } from "./subscriptions.ts";

/** Why it is done. The managers of the organization that it concerns read it in their audit log. */
const Reason = z.object({ reason: Name });

const priceFields = <Schema>(fieldOf: (bounds: { min: number; max: number }) => Schema) =>
  Object.fromEntries(Object.entries(priceBounds).map(([name, bounds]) => [name, fieldOf(bounds)])) as Record<
    Price,
    Schema
  >;
const Prices = z.object(priceFields(() => z.int()));
const NewPrices = z
  .object(priceFields((bounds) => integerWithin(bounds).nullable()))
  .partial()
  .meta({ description: "Null: what the settings say. What is missing stays" });

const OperatedPrices = z.object({
  currency: Currency,
  settings: Prices.meta({ description: "What the settings of the service say" }),
  set: z.object(priceFields(() => z.int().nullable())).meta({
    description: "What holds in place of that; null where the setting does",
  }),
});
export type OperatedPrices = z.infer<typeof OperatedPrices>;

export const OperatedBilling = z.object({
  is_debtor: z.boolean(),
  tax_rate: Organization.shape.tax_rate,
  own_tax: z
    .number()
    .nullable()
    .meta({ description: "Percent, 0 of one that is exempt; null where its country decides" }),
  balance: Balance,
  plan: Subscription.nullable().meta({ description: "The one that has not ended" }),
});
export type OperatedBilling = z.infer<typeof OperatedBilling>;

/** What a run of billing has issued, or would issue. */
const BillingRun = z.object({
  count: z.int(),
  invoices: z
    .array(
      z.object({
        invoice_number: z.string().nullable().meta({ description: "Null of one that was not issued" }),
        organization: z.object({ uuid: Uuid, name: z.string() }),
        period_start: Time,
        period_end: Time,
        net: Cents,
        tax: Cents,
        amount: Cents,
        currency: Currency,
        balance_used: z.int().meta({ description: "Free minutes that the period used" }),
      }),
    )
    .max(limits.billedShown)
    .meta({ description: `The first ${limits.billedShown}` }),
});
export type BillingRun = z.infer<typeof BillingRun>;

const ServiceClock = z.object({
  now: Time,
  ahead_seconds: z.int().meta({ description: "How far it was moved" }),
  is_movable: z.boolean().meta({ description: "That of a server with its embedded database" }),
});
export type ServiceClock = z.infer<typeof ServiceClock>;

export const operatorBillingTag = tag("Operators", "Operator's billing", "Prices, invoices and agreements.");

/** Money and time, for whoever runs the service. To everybody else these routes are not there. */
export const operatorBilling = routes({
  get: {
    method: "GET",
    path: "/v1/operator/organizations/:uuid/billing",
    summary: "How an organization pays: its plan, its free minutes, its tax, and whether it owes something",
    access: "operator",
    params: ByUuid,
    reply: OperatedBilling,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  invoices: {
    method: "GET",
    path: "/v1/operator/organizations/:uuid/invoices",
    summary: "The invoices of an organization, or its credit notes",
    access: "operator",
    params: ByUuid,
    query: invoices.list.query,
    reply: pageOf(Invoice),
    fails: ["ORGANIZATION_NOT_FOUND", "PAGE_TOO_LARGE"],
  },
  setPrice: {
    method: "PUT",
    path: "/v1/operator/organizations/:uuid/price",
    summary:
      "Agree on another price for the plan of an organization. What its devices have used by the minute until now is billed at the price before; an upfront plan has it from its next invoice on",
    access: "operator",
    audit: ["subscription.set_price"],
    params: ByUuid,
    body: Reason.extend({
      price: integerWithin({ min: 0, max: limits.priceMax }).meta({
        description: "Cents of a minute, or of a device for a month or a year",
      }),
    }),
    reply: OperatedBilling,
    fails: ["ORGANIZATION_NOT_FOUND", "SUBSCRIPTION_NOT_FOUND"],
  },
  cancelPlan: {
    method: "POST",
    path: "/v1/operator/organizations/:uuid/cancel-plan",
    summary:
      "Cancel the plan of an organization: pay-as-you-go ends at once, with an invoice for what was used; one that is paid in advance is not renewed",
    access: "operator",
    audit: ["subscription.cancel"],
    params: ByUuid,
    body: Reason,
    reply: OperatedBilling,
    fails: ["ORGANIZATION_NOT_FOUND", "SUBSCRIPTION_NOT_FOUND", "OTHER_PLAN_ACTIVE"],
  },
  setTax: {
    method: "PUT",
    path: "/v1/operator/organizations/:uuid/tax",
    summary:
      "Agree on the tax of an organization: a rate of its own, none, or that of its country. Invoices from now on have it",
    access: "operator",
    audit: ["organization.set_tax"],
    params: ByUuid,
    body: Reason.extend({
      percentage: z
        .number()
        .min(0)
        .max(100)
        .multipleOf(0.01)
        .nullable()
        .meta({ description: "0 is exempt; null: by its country" }),
    }),
    reply: OperatedBilling,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  prices: {
    method: "GET",
    path: "/v1/operator/prices",
    summary: "What the service costs: by its settings, and by what was set in place of them",
    access: "operator",
    reply: OperatedPrices,
  },
  setPrices: {
    method: "PUT",
    path: "/v1/operator/prices",
    summary:
      "Change what the service costs. Plans that start from now on have the price. Those that run have it too if that is asked, unless another one was agreed for them: by the minute from now on, in advance from their next invoice on",
    access: "operator",
    audit: ["price.edit"],
    body: Reason.extend({
      prices: NewPrices,
      includes_running: z.boolean().default(false),
    }),
    reply: OperatedPrices,
  },
  grantMinutes: {
    method: "POST",
    path: "/v1/operator/organizations/:uuid/minutes",
    summary: "Give an organization free minutes",
    access: "operator",
    audit: ["organization.grant_minutes"],
    params: ByUuid,
    body: Reason.extend({ minutes: integerWithin({ min: 1, max: limits.grantMax }) }),
    reply: OperatedBilling,
    fails: ["ORGANIZATION_NOT_FOUND"],
  },
  refund: {
    method: "POST",
    path: "/v1/operator/invoices/:uuid/refund",
    summary: "Pay an invoice back, or a part of it, with a credit note; once for each",
    access: "operator",
    audit: ["invoice.refund"],
    params: ByUuid,
    body: Reason.extend({
      amount: integerWithin({ min: 1, max: 2 ** 31 - 1 })
        .optional()
        .meta({ description: "Cents, with tax; all of it if not said" }),
    }),
    status: 201,
    reply: z.object({ credit_note: z.string(), amount: Cents }),
    fails: ["INVOICE_NOT_FOUND", "INVOICE_NOT_REFUNDABLE"],
  },
  markPaid: {
    method: "POST",
    path: "/v1/operator/invoices/:uuid/mark-paid",
    summary: "Note that an invoice was paid in another way, such as by transfer",
    access: "operator",
    audit: ["invoice.mark_paid"],
    params: ByUuid,
    body: Reason,
    status: 204,
    fails: ["INVOICE_NOT_FOUND", "INVOICE_NOT_PAYABLE"],
  },
  due: {
    method: "GET",
    path: "/v1/operator/billing/due",
    summary:
      "A dry run of billing: the invoices that are due now, or will be by a time, as things stand. Nothing is written",
    access: "operator",
    query: z.object({
      until: Time.optional().meta({ description: `At most ${limits.dryRunDays} days from now` }),
    }),
    reply: BillingRun,
  },
  run: {
    method: "POST",
    path: "/v1/operator/billing/run",
    summary: "Bill what is due now, which the service does by itself every minute",
    access: "operator",
    audit: ["billing.run"],
    reply: BillingRun,
  },
  clock: {
    method: "GET",
    path: "/v1/operator/clock",
    summary: "What time it is for the service",
    access: "operator",
    reply: ServiceClock,
  },
  moveClock: {
    method: "POST",
    path: "/v1/operator/clock",
    summary: "Move a demonstration's date forward, to see what comes with time. It cannot be moved back",
    access: "operator",
    audit: ["clock.move"],
    body: Reason.extend({ hours: integerWithin({ min: 1, max: limits.clockMoveHours }) }),
    reply: ServiceClock,
    fails: ["CLOCK_NOT_MOVABLE"],
  },
});
