import type { Currency } from "@terrarium/contract";

/** A card as a provider stores it. Its number never reaches this service. */
export interface ProviderCard {
  /** The provider's name for it. */
  ref: string;
  brand: string;
  last4: string;
  expiryMonth: number;
  expiryYear: number;
  funding: "credit" | "debit" | "prepaid" | "unknown";
}

export interface Charge {
  customer: string;
  card: string;
  /** In hundredths of the currency, more than 0. */
  amount: number;
  currency: Currency;
  /** What is paid, as the provider's own pages show it. */
  invoice: { uuid: string; number: string };
  /** The same key is charged once, however often it is asked for. */
  key: string;
}

/** The outcome of a charge. One that needs the customer's confirmation is asked for again by its `ref`. */
export type ChargeOutcome =
  | { kind: "accepted"; ref: string }
  | { kind: "refused"; ref: string; reason: string }
  | { kind: "requires_action"; ref: string; clientSecret: string };

/** What is called a charge that the provider does not have. One that was on its way there may be made later. */
export const noCharge = (key: string): string => `none_${key}`;
export const isNoCharge = (ref: string | null): boolean => ref?.startsWith("none_") ?? false;

/**
 * Stores cards and charges them. Each call may fail and be repeated: whatever changes something at the provider takes a key under which it
 * happens once.
 */
export interface PaymentProvider {
  name: "sandbox" | "stripe";
  /** What the provider's own form in the browser is opened with; null where there is none. */
  publishableKey: string | null;
  /** The least that can be charged, in hundredths of the currency. What is less is not worth its fees. */
  minimum: number;
  /** Whether it has answered, as far as is known; missing where there are no payments. */
  answers?: () => boolean;
  createCustomer(organization: { uuid: string; name: string; email: string }): Promise<string>;
  /** Begins to add a card: the secret with which the browser gives the number to the provider. */
  setUpCard(customer: string): Promise<{ clientSecret: string }>;
  /**
   * Stores a card that the browser has given to the provider.
   * @throws AppError CARD_REFUSED with the provider's own words, CARD_PREPAID
   */
  addCard(customer: string, token: string): Promise<ProviderCard>;
  /**
   * Has the bank hold an amount on a card that was added, and gives it back at once: nothing is charged. Where the bank wants to ask the
   * customer before, nothing is held, as it asks them with the first payment.
   * @throws AppError CARD_REFUSED with the bank's words
   */
  verifyCard(hold: { customer: string; card: string; amount: number; currency: Currency }): Promise<void>;
  removeCard(card: string): Promise<void>;
  charge(charge: Charge): Promise<ChargeOutcome>;
  /** The present outcome of a charge. One that is refused stays so: nobody can confirm it any more. */
  findCharge(ref: string): Promise<ChargeOutcome>;
  /** Cancels a charge, so that nobody can confirm it any more. Answers its outcome: it may have been confirmed before. */
  cancelCharge(ref: string): Promise<ChargeOutcome>;
  /** The outcome of a charge that was requested under a key; null if there was none. */
  findAsked(customer: string, key: string): Promise<ChargeOutcome | null>;
  /** Pays back a part of a charge, or all of it. */
  refund(refund: { charge: string; amount: number; key: string }): Promise<{ ref: string }>;
}
