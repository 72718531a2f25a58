import { AppError } from "@terrarium/contract";
import { z } from "zod";
import { transaction } from "../../platform/db/transaction.ts";
import type { PaymentDeps } from "./payments.ts";
import { noteStripeEvent, updateCard } from "./payments.store.ts";
import { settleCharge } from "./settle-charge.ts";
import type { StripeSettings } from "./stripe-api.ts";
import { findStripeCard } from "./stripe-provider.ts";
import { isSignedByStripe } from "./stripe-signature.ts";

export interface StripeEventDeps extends Pick<PaymentDeps, "db" | "clock"> {
  /** Missing where cards are charged otherwise. */
  stripe?: StripeSettings | undefined;
}

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string(),
  data: z.object({
    // Charges have the key of our payment.
    object: z.object({ id: z.string(), metadata: z.object({ key: z.guid().optional() }).optional().catch(undefined) }),
  }),
});

/**
 * Handles an event that Stripe sends. It only says that something has changed: the present state is fetched, so that events may come late,
 * twice or in another order.
 * @throws AppError PAYMENTS_NOT_AVAILABLE without Stripe, PAYMENT_EVENT_REFUSED
 */
export async function takeStripeEvent(
  deps: StripeEventDeps,
  body: Uint8Array,
  signature: string | undefined,
): Promise<void> {
  const { db, clock, stripe } = deps;
  if (!stripe) throw new AppError("PAYMENTS_NOT_AVAILABLE");
  const now = clock.now();
  if (!isSignedByStripe(body, signature, { secret: stripe.webhookSecret, now }))
    throw new AppError("PAYMENT_EVENT_REFUSED");
  const event = Event.safeParse(jsonOf(body)).data;
  if (!event) throw new AppError("PAYMENT_EVENT_REFUSED", { facts: { reason: "no event" } });
  const { id, metadata } = event.data.object;
  const isOfCard = event.type.startsWith("payment_method.") && event.type !== "payment_method.detached";
  const card = isOfCard ? await findStripeCard(stripe, id) : undefined;
  await transaction(db, async (trx) => {
    if (!(await noteStripeEvent(trx, event.id, new Date(now)))) return;
    if (event.type.startsWith("payment_intent.")) await settleCharge({ ...deps, db: trx }, id, metadata?.key);
    if (card)
      await updateCard(trx, id, {
        brand: card.brand,
        last4: card.last4,
        expiry_month: card.expiryMonth,
        expiry_year: card.expiryYear,
      });
  });
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}
