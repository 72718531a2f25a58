import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { PaymentProvider } from "./payment-provider.ts";
import { findCustomer, findManagers, insertCustomer } from "./payments.store.ts";
import { sandboxProvider } from "./sandbox-provider.ts";
import type { StripeSettings } from "./stripe-api.ts";
import { stripeProvider } from "./stripe-provider.ts";
import type { FeatureDeps } from "../deps.ts";

export { type CardRow, findCustomer, findDefaultCard as defaultCardOf } from "./payments.store.ts";

export interface PaymentSettings {
  stripe?: StripeSettings | undefined;
  /** Whether there is the sandbox where there is no Stripe. */
  hasSandbox: boolean;
}

export interface PaymentDeps extends FeatureDeps {
  payments: PaymentProvider;
}

/** The payment provider of this service. If there is none, everything is refused with PAYMENTS_NOT_AVAILABLE. */
export function providerOf(
  { stripe, hasSandbox }: PaymentSettings,
  deps: { db: Database; clock: Clock },
): PaymentProvider {
  if (stripe) return stripeProvider(stripe);
  return hasSandbox ? sandboxProvider(deps) : nobody;
}

const refuse = (): Promise<never> => Promise.reject(new AppError("PAYMENTS_NOT_AVAILABLE"));
const nobody: PaymentProvider = {
  name: "sandbox",
  publishableKey: null,
  minimum: 1,
  createCustomer: refuse,
  setUpCard: refuse,
  addCard: refuse,
  verifyCard: refuse,
  removeCard: refuse,
  charge: refuse,
  findCharge: refuse,
  cancelCharge: refuse,
  findAsked: refuse,
  refund: refuse,
};

/** The provider's name for an organization, which it is given when it is first needed. */
export async function customerOf(
  { db, payments }: Pick<PaymentDeps, "db" | "payments">,
  organization: string,
): Promise<string> {
  const found = await findCustomer(db, organization, payments.name);
  if (found !== undefined) return found;
  const [manager] = await findManagers(db, organization);
  const ref = await payments.createCustomer({
    uuid: organization,
    name: manager?.name ?? "",
    email: manager?.address ?? "",
  });
  await insertCustomer(db, { organization_uuid: organization, provider: payments.name, ref });
  // Of two at once, the first is the one.
  return (await findCustomer(db, organization, payments.name)) ?? ref;
}
