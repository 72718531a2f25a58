import type { Address, Currency, InvoiceState, Plan, Price, SubscriptionState } from "@terrarium/contract";
import type { ColumnType, JSONColumnType } from "kysely";
import type { OptionalTime, Time, WithDefault } from "../../platform/db/columns.ts";

/** What an organization pays by. At most one of them has not ended. */
export interface SubscriptionTable {
  uuid: string;
  organization_uuid: string;
  plan: Plan;
  quantity: number;
  /** Cents of a minute, or of a device for a whole period, as agreed when it began. */
  price: number;
  /** The price that whoever pays was last notified of; null until another price is agreed on. */
  told_price: number | null;
  currency: Currency;
  /** The period that runs, or that was the last. */
  period_began_at: Time;
  period_ends_at: Time;
  /** How many devices the organization might run before, and may again when an upfront plan has ended. */
  devices_before: WithDefault<number>;
  /** When its license was to end before, which holds again when the plan has ended. */
  license_ends_before: OptionalTime;
  created_at: Time;
  ended_at: OptionalTime;
}

/** Append-only: free minutes that an organization was given, and, below zero, those of them that its devices have used. */
export interface MinuteEntryTable {
  uuid: string;
  organization_uuid: string;
  kind: "grant" | "use";
  minutes: number;
  at: Time;
}

/** One row: the number of the last invoice. */
export interface InvoiceNumberTable {
  last: number;
}

/** One row: what the operator has set in place of the settings. */
export type PriceTable = Record<Price, number | null>;

/** Append-only: where a subscription has stood. The last one holds. */
export interface SubscriptionStatusTable {
  subscription_uuid: string;
  /** Counts from 1. */
  revision: number;
  status: SubscriptionState;
  cancel_at_period_end: boolean;
  at: Time;
}

/** Who is billed, as written on an invoice whatever is changed later. */
export interface BillTo {
  name: string;
  company_name: string;
  vat_number: string;
  email: string | null;
  address: Address;
}

/**
 * What is to be paid for a period: written once, and never changed. A credit note is one with a negative amount that refers to another.
 */
export interface InvoiceTable {
  uuid: string;
  organization_uuid: string;
  subscription_uuid: string | null;
  /** Without gaps within the service, in the order of issue. */
  number: number;
  nature: "SUBSCRIPTION" | "CREDIT";
  /** The invoice that a credit note pays back. */
  refunds_uuid: string | null;
  usage_type: "metered" | "licensed";
  period_began_at: Time;
  period_ended_at: Time;
  currency: Currency;
  /** Cents: without tax, the tax, and both. */
  net: number;
  tax: number;
  amount: number;
  /** Null where no rate applies. */
  tax_rate: JSONColumnType<TaxRate | null, string | null | undefined, never>;
  /** Free minutes that this period took from the balance. */
  balance_used: number;
  bill_to: JSONColumnType<BillTo, string, never>;
  created_at: Time;
  due_at: Time;
  /** Null unless it was for a renewal that the customer has called off: the one thing that is changed. */
  called_off_at: OptionalTime;
}

export interface TaxRate {
  display_name: string;
  /** A country. */
  jurisdiction: string;
  percentage: number;
}

/** Append-only: the states of an invoice. The last one holds. */
export interface InvoiceStatusTable {
  invoice_uuid: string;
  /** Counts from 1. */
  revision: number;
  status: InvoiceState;
  /** Why it stands so, such as the provider's words for a payment that failed. */
  reason: WithDefault<string>;
  /** It is less than can be charged, and waits for the next invoice. */
  waits: WithDefault<boolean>;
  at: Time;
}

/** A device's minutes in the period, or the devices of an upfront plan. */
export interface InvoiceLineTable {
  invoice_uuid: string;
  position: number;
  /** The recipe's name, or what the plan is called. */
  description: string;
  /** Of the run within the period. */
  began_at: Time;
  ended_at: Time;
  /** Minutes, or devices. */
  quantity: number;
  /** Cents each. */
  price: number;
  amount: number;
}

/** An attempt to have an invoice paid. Its uuid is the key under which the provider charges once. */
export interface PaymentTable {
  uuid: string;
  invoice_uuid: string;
  card_uuid: string | null;
  /** The provider's name for the card, which may be removed before the answer is there. */
  card_ref: string;
  /** The provider's name for the charge, once it has answered. */
  ref: ColumnType<string | null, string | null | undefined, string | null>;
  outcome: WithDefault<"unknown" | "accepted" | "refused" | "requires_action">;
  /** Invoices that had waited, and are paid with it. */
  also_pays: WithDefault<string[]>;
  amount: number;
  created_at: Time;
  answered_at: OptionalTime;
}

export interface CardTable {
  uuid: string;
  organization_uuid: string;
  /** The provider's name for it. */
  ref: string;
  brand: string;
  last4: string;
  expiry_month: number;
  expiry_year: number;
  /** Which is charged; one of an organization's cards. */
  is_default: boolean;
  created_at: Time;
}

/** An organization at the payment provider. */
export interface CustomerTable {
  organization_uuid: string;
  provider: string;
  ref: string;
}

export interface BillingAddressTable {
  uuid: string;
  organization_uuid: string;
  name: string;
  address: JSONColumnType<Address>;
  /** Whether invoices name it; one of an organization's addresses. */
  is_default: WithDefault<boolean>;
  created_at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    subscriptions: SubscriptionTable;
    subscription_statuses: SubscriptionStatusTable;
    minute_entries: MinuteEntryTable;
    invoice_numbers: InvoiceNumberTable;
    prices: PriceTable;
    invoices: InvoiceTable;
    invoice_statuses: InvoiceStatusTable;
    invoice_lines: InvoiceLineTable;
    payments: PaymentTable;
    cards: CardTable;
    customers: CustomerTable;
    billing_addresses: BillingAddressTable;
  }
}
