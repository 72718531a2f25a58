/** A card of the sandbox: the well-known test cards of Stripe, whose names and numbers mean the same there. */
export interface SandboxCard {
  /** What a program sends in place of a number. */
  name: string;
  number: string;
  brand: string;
  funding: "credit" | "debit" | "prepaid";
  /** The outcome of adding it, or of charging it. */
  does: "pays" | "fails" | "asks" | "refused";
  /** What the bank says when it refuses. */
  says?: string;
}

const card = (
  name: string,
  number: string,
  brand: string,
  { funding = "credit", does = "pays", ...rest }: Partial<SandboxCard> = {},
): SandboxCard => ({ name, number, brand, funding, does, ...rest });
const refused = (says: string) => ({ does: "refused", says }) as const;

/** https://docs.stripe.com/testing */
export const sandboxCards: readonly SandboxCard[] = [
  card("pm_card_visa", "4242424242424242", "visa"),
  card("pm_card_visa_debit", "4000056655665556", "visa", { funding: "debit" }),
  card("pm_card_mastercard", "5555555555554444", "mastercard"),
  card("pm_card_amex", "378282246310005", "amex"),
  card("pm_card_mastercard_prepaid", "5105105105105100", "mastercard", { funding: "prepaid" }),
  card("pm_card_authenticationRequired", "4000002760003184", "visa", { does: "asks" }),
  card("pm_card_chargeCustomerFail", "4000000000000341", "visa", { does: "fails", says: "Your card was declined." }),
  card("pm_card_chargeDeclined", "4000000000000002", "visa", refused("Your card was declined.")),
  card(
    "pm_card_chargeDeclinedInsufficientFunds",
    "4000000000009995",
    "visa",
    refused("Your card has insufficient funds."),
  ),
  card("pm_card_chargeDeclinedExpiredCard", "4000000000000069", "visa", refused("Your card has expired.")),
  card(
    "pm_card_chargeDeclinedIncorrectCvc",
    "4000000000000127",
    "visa",
    refused("Your card's security code is incorrect."),
  ),
];
