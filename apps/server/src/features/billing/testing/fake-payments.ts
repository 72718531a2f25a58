import type { Charge, ChargeOutcome, PaymentProvider } from "../../payments/payment-provider.ts";

/** A payment provider in memory, which charges a key once. What it does of a charge, and when it fails, is for tests to say. */
export class FakePayments implements PaymentProvider {
  name = "sandbox" as const;
  publishableKey = null;
  minimum = 1;
  /** By their keys. */
  readonly charges = new Map<string, Charge & { outcome: ChargeOutcome }>();
  readonly refunds = new Map<string, { charge: string; amount: number }>();
  /** What becomes of the next charges. */
  answer: (charge: Charge) => "accepted" | "refused" | "requires_action" = () => "accepted";
  /** Called before and after each charge; may throw, as a connection that breaks. */
  fault: (when: "before" | "after") => void = () => undefined;

  createCustomer = async ({ uuid }: { uuid: string }) => `cus_${uuid}`;
  setUpCard = async () => ({ clientSecret: "seti_secret" });
  addCard = async () => ({
    ref: "pm",
    brand: "visa",
    last4: "4242",
    expiryMonth: 12,
    expiryYear: 2030,
    funding: "credit" as const,
  });
  verifyCard = async () => undefined;
  removeCard = async () => undefined;

  async charge(charge: Charge): Promise<ChargeOutcome> {
    this.fault("before");
    const known = this.charges.get(charge.key);
    if (known && known.amount !== charge.amount) throw new Error("the key was used for another amount");
    const outcome = known?.outcome ?? outcomeOf(this.answer(charge), `pi_${charge.key}`);
    this.charges.set(charge.key, { ...charge, outcome });
    this.fault("after");
    return outcome;
  }

  async findCharge(ref: string): Promise<ChargeOutcome> {
    return this.#charge(ref).outcome;
  }

  async cancelCharge(ref: string): Promise<ChargeOutcome> {
    const charge = this.#charge(ref);
    if (charge.outcome.kind === "requires_action") this.confirm(ref, "refused");
    return charge.outcome;
  }

  async findAsked(customer: string, key: string): Promise<ChargeOutcome | null> {
    this.fault("before");
    const charge = this.charges.get(key);
    return charge?.customer === customer ? charge.outcome : null;
  }

  async refund({ charge, amount, key }: { charge: string; amount: number; key: string }) {
    this.refunds.set(key, { charge, amount });
    return { ref: `re_${key}` };
  }

  /** The customer confirms a charge, or not. */
  confirm(ref: string, kind: "accepted" | "refused" = "accepted"): void {
    this.#charge(ref).outcome = outcomeOf(kind, ref);
  }

  /** All that was taken. Cents. */
  get taken(): number {
    return [...this.charges.values()].reduce(
      (sum, { amount, outcome }) => sum + (outcome.kind === "accepted" ? amount : 0),
      0,
    );
  }

  #charge(ref: string) {
    const found = [...this.charges.values()].find(({ outcome }) => outcome.ref === ref);
    if (!found) throw new Error("there is no such charge");
    return found;
  }
}

const outcomeOf = (kind: ChargeOutcome["kind"], ref: string): ChargeOutcome => {
  if (kind === "accepted") return { kind, ref };
  if (kind === "refused") return { kind, ref, reason: "Your card has insufficient funds." };
  return { kind, ref, clientSecret: `${ref}_secret` };
};
