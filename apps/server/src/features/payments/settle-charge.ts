import { enqueue } from "../../platform/jobs/enqueue.ts";
import { lookRequest } from "../billing/billing-requests.ts";
import type { PaymentDeps } from "./payments.ts";
import { findPaymentOfCharge } from "./payments.store.ts";

/** Has a payment settled soon by the outcome of its charge, or of one under its key. A charge that is not ours is left alone. */
export async function settleCharge(
  { db, clock }: Pick<PaymentDeps, "db" | "clock">,
  charge: string,
  key?: string,
): Promise<void> {
  const payment = await findPaymentOfCharge(db, charge, key);
  if (payment !== undefined) await enqueue(db, clock, lookRequest, { payment, charge });
}
