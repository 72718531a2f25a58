import type { Clock } from "@terrarium/clock";
import { type Offer, type OperatedPrices, plans, type Price, priceOf } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { Audit } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import { repriceRequest } from "./billing-requests.ts";
import { findPrices, lockPrices, updatePrices } from "./subscriptions.store.ts";

type SetPrices = Record<Price, number | null>;

/** What using the service costs now: what the operator has set, and for the rest what the settings say. */
export const currentOffer = async (db: Database, offer: Offer): Promise<Offer> =>
  offerWith(offer, await findPrices(db));

function offerWith(offer: Offer, set: SetPrices): Offer {
  return {
    ...offer,
    minute_cents: set.minute_cents ?? offer.minute_cents,
    unlimited_monthly_cents: set.unlimited_monthly_cents ?? offer.unlimited_monthly_cents,
    annual_discount: set.annual_discount ?? offer.annual_discount,
    payg_threshold_cents: set.payg_threshold_cents ?? offer.payg_threshold_cents,
    trial: { minutes: set.trial_minutes ?? offer.trial.minutes, days: set.trial_days ?? offer.trial.days },
  };
}

/** What the settings say, and what holds in place of that. */
export async function getPrices(db: Database, offer: Offer): Promise<OperatedPrices> {
  const { currency, trial, card_hold_cents: _, ...prices } = offer;
  const settings = { ...prices, trial_minutes: trial.minutes, trial_days: trial.days };
  return { currency, settings, set: await findPrices(db) };
}

/**
 * Changes what the service costs; null has the setting hold again, and what is missing stays. Plans that start have the price, and those
 * that run and pay what was asked before, if they are included: a job agrees on it with each. Invoices stay as they are.
 */
export async function setPrices(
  { db, clock, audit, by, offer }: { db: Database; clock: Clock; audit: Audit; by: By; offer: Offer },
  wanted: { [Name in Price]?: number | null | undefined },
  { includesRunning }: { includesRunning: boolean },
): Promise<OperatedPrices> {
  return transaction(db, async (trx) => {
    const before = await lockPrices(trx);
    const changed = Object.fromEntries(
      Object.entries(wanted).filter(([name, value]) => value !== undefined && value !== before[name as Price]),
    ) as Partial<SetPrices>;
    if (Object.keys(changed).length > 0) {
      await updatePrices(trx, changed);
      await audit.record(trx, by, {
        action: "price.edit",
        details: { ...changed, ...(includesRunning && { includes_running: true }) },
      });
      const [old, now] = [offerWith(offer, before), offerWith(offer, { ...before, ...changed })];
      if (includesRunning)
        for (const plan of plans) {
          const [was, price] = [priceOf(plan, old), priceOf(plan, now)];
          if (was !== price) await enqueue(trx, clock, repriceRequest, { plan, was, price });
        }
    }
    return getPrices(trx, offer);
  });
}
