import { z } from "zod";
import { ByUuid, Name, pageOf, Time, Uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { tag } from "./openapi-tags.ts";
import { Address, ShownAddress } from "./organizations.ts";
import { routes } from "./routes.ts";

/** A card that an organization pays with. Its number is known to the payment provider alone. */
export const Card = z.object({
  uuid: Uuid,
  brand: z.string().meta({ description: "visa, mastercard, amex or another that the payment provider names" }),
  last4: z.string().meta({ description: "The last four digits of its number" }),
  exp_month: z.int(),
  exp_year: z.int(),
  is_default: z.boolean().meta({ description: "Whether it is the one that is charged" }),
  created_at: Time,
});
export type Card = z.infer<typeof Card>;

export const paymentProviders = ["sandbox", "stripe"] as const;
export type PaymentProviderName = (typeof paymentProviders)[number];

const CardSetup = z.object({
  client_secret: z.string().meta({ description: "With it, the browser gives the card's number to the provider" }),
  provider: z.enum(paymentProviders).meta({ description: "sandbox is built in, and moves no money" }),
  publishable_key: z.string().nullable().meta({ description: "What Stripe's form in the browser is opened with" }),
});
export type CardSetup = z.infer<typeof CardSetup>;

const MakeDefault = z.object({ is_default: z.literal(true).default(true) });

const cardFails = ["CARD_REFUSED", "CARD_PREPAID"] as const;

export const cardsTag = tag("Billing", "Cards", "Cards that are charged.");

export const cards = routes({
  setUp: {
    method: "POST",
    path: "/v1/billing/cards/setup",
    summary: "Begin to add a card: get the secret with which a browser gives its number to the payment provider",
    access: "manager",
    audit: { none: "nothing is added before the provider has the card" },
    status: 201,
    reply: CardSetup,
    fails: ["PAYMENTS_NOT_AVAILABLE", "SERVICE_UNAVAILABLE"],
  },
  add: {
    method: "POST",
    path: "/v1/billing/cards",
    summary: "Add a card that the payment provider knows. The first becomes the default. Prepaid cards are refused",
    access: "manager",
    audit: ["card.add"],
    body: z.object({
      token: z
        .string()
        .regex(/^[\w-]+$/, "Use the provider's name for the card, such as pm_card_visa")
        .max(limits.textLength)
        .meta({ description: "What the provider calls the card. In the sandbox also pm_card_visa and the like" }),
      is_default: z.boolean().default(false),
    }),
    status: 201,
    reply: Card,
    fails: [...cardFails, "PAYMENTS_NOT_AVAILABLE", "TOO_MANY_CARDS", "SERVICE_UNAVAILABLE"],
  },
  list: {
    method: "GET",
    path: "/v1/billing/cards",
    summary: "The cards of your organization, the oldest first",
    access: "manager",
    scope: "admin",
    reply: pageOf(Card),
  },
  makeDefault: {
    method: "PUT",
    path: "/v1/billing/cards/:uuid",
    summary: "Make a card the one that is charged",
    access: "manager",
    audit: ["card.set_default"],
    params: ByUuid,
    body: MakeDefault,
    reply: Card,
    fails: ["CARD_NOT_FOUND"],
  },
  delete: {
    method: "DELETE",
    path: "/v1/billing/cards/:uuid",
    summary:
      "Delete a card, unless your organization has a plan. After the default, the oldest of the others is charged",
    access: "manager",
    audit: ["card.delete"],
    params: ByUuid,
    status: 204,
    fails: ["CARD_NOT_FOUND", "CARD_IN_USE"],
  },
});

/** A way to pay. Cards are the only one; their identifiers are the same. */
export const PaymentMethod = z.object({
  uuid: Uuid,
  type: z.literal("CARD"),
  is_default: z.boolean(),
  created_at: Time,
  card: Card,
});
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const paymentMethodsTag = tag("Billing", "Payment methods", "All ways in which your organization can pay.");

export const paymentMethods = routes({
  list: {
    method: "GET",
    path: "/v1/billing/payment-methods",
    summary: "How your organization can pay, the oldest first",
    access: "manager",
    scope: "admin",
    reply: pageOf(PaymentMethod),
  },
  makeDefault: {
    method: "PUT",
    path: "/v1/billing/payment-methods/:uuid",
    summary: "Make a way to pay the one that is used",
    access: "manager",
    audit: ["card.set_default"],
    params: ByUuid,
    body: MakeDefault,
    reply: PaymentMethod,
    fails: ["CARD_NOT_FOUND"],
  },
});

/** What an address is called that nobody gave a name. */
export const DEFAULT_ADDRESS_NAME = "default address";

export const BillingAddress = z.object({
  uuid: Uuid,
  name: z.string(),
  ...ShownAddress.shape,
  is_default: z
    .boolean()
    .meta({ description: "Whether it is the one that invoices name, which is the `address` of the organization" }),
  created_at: Time,
});
export type BillingAddress = z.infer<typeof BillingAddress>;

export const billingAddressesTag = tag("Billing", "Billing addresses", "Who invoices are addressed to.");

export const billingAddresses = routes({
  list: {
    method: "GET",
    path: "/v1/billing/addresses",
    summary: "The billing addresses of your organization, the oldest first",
    access: "manager",
    scope: "admin",
    reply: pageOf(BillingAddress),
  },
  add: {
    method: "POST",
    path: "/v1/billing/addresses",
    summary: "Add a billing address. The first becomes the default, which invoices name",
    access: "manager",
    audit: ["billing_address.add"],
    body: Address.extend({ name: Name.default(DEFAULT_ADDRESS_NAME), is_default: z.boolean().default(false) }),
    status: 201,
    reply: BillingAddress,
    fails: ["TOO_MANY_BILLING_ADDRESSES"],
  },
  edit: {
    method: "PUT",
    path: "/v1/billing/addresses/:uuid",
    summary: "Replace a billing address, and make it the default if you say so. Invoices that were issued keep theirs",
    access: "manager",
    audit: ["billing_address.edit"],
    params: ByUuid,
    body: Address.extend({ name: Name.optional(), is_default: z.literal(true).optional() }),
    reply: BillingAddress,
    fails: ["BILLING_ADDRESS_NOT_FOUND"],
  },
});

export const paymentsTag = tag("Billing", "Payments", "What payment providers and the sandbox say of payments.");

export const payments = routes({
  /** In place of the page of a bank. */
  confirmInSandbox: {
    method: "POST",
    path: "/v1/billing/sandbox/confirmations",
    summary: "Confirm or refuse a payment of the sandbox that asked for it, as a card's holder does at their bank",
    access: "manager",
    audit: { none: "it plays a bank, which keeps no log of ours" },
    body: z.object({ client_secret: z.string().max(limits.textLength), is_confirmed: z.boolean() }),
    reply: z.object({ outcome: z.enum(["accepted", "refused"]) }),
    fails: ["PAYMENT_NOT_FOUND"],
  },
  stripeEvent: {
    method: "POST",
    path: "/v1/billing/stripe/events",
    summary: "What Stripe tells of payments and cards, signed with the secret of its webhook endpoint",
    access: "public",
    audit: { none: "what follows from it is recorded by whoever it concerns" },
    headers: z.object({ "stripe-signature": z.string().max(limits.ticketLength).optional() }),
    body: { kind: "raw", types: ["application/json"] },
    status: 204,
    fails: ["PAYMENTS_NOT_AVAILABLE", "PAYMENT_EVENT_REFUSED"],
  },
});
