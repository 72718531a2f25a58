import type { Currency } from "@terrarium/contract";
import type { Time } from "../../platform/db/columns.ts";

/** The sandbox's own, by its own names. */
export interface SandboxCardTable {
  ref: string;
  customer: string;
  /** Of the test card: `pm_card_visa`. */
  name: string;
}

export interface SandboxChargeTable {
  ref: string;
  /** The same key is charged once. */
  key: string;
  customer: string;
  card: string;
  amount: number;
  currency: Currency;
  outcome: "accepted" | "refused" | "requires_action";
  /** The bank's words; empty unless it refused. */
  reason: string;
  client_secret: string;
}

export interface SandboxRefundTable {
  ref: string;
  key: string;
  charge: string;
  amount: number;
}

/** The events that Stripe has sent, as it sends some several times. */
export interface StripeEventTable {
  ref: string;
  at: Time;
}

declare module "../../database/schema.ts" {
  interface Schema {
    sandbox_cards: SandboxCardTable;
    sandbox_charges: SandboxChargeTable;
    sandbox_refunds: SandboxRefundTable;
    stripe_events: StripeEventTable;
  }
}
