import type { Currency, Offer } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { currentOffer } from "./prices.ts";
import { findRunning } from "./subscriptions.store.ts";

/** What a metered minute costs an organization, in hundredths of the currency: by its plan, or as it is offered now. */
export async function minutePrice(
  db: Database,
  organization: string,
  offer: Offer,
): Promise<{ price: number; currency: Currency }> {
  const plan = await findRunning(db, organization);
  if (plan?.plan === "payg") return { price: plan.price, currency: plan.currency };
  return { price: (await currentOffer(db, offer)).minute_cents, currency: offer.currency };
}
