import { enqueue } from "../../platform/jobs/enqueue.ts";
import { chargeRequest } from "../billing/charge-invoice.ts";
import type { PaymentDeps } from "./payments.ts";
import { findInvoiceOfCharge } from "./payments.store.ts";

/** Has the invoice of a charge look at what became of it, soon. A charge that is not ours is left alone. */
export async function settleCharge({ db, clock }: Pick<PaymentDeps, "db" | "clock">, charge: string): Promise<void> {
  const invoice = await findInvoiceOfCharge(db, charge);
  if (invoice !== undefined) await enqueue(db, clock, chargeRequest, { invoice });
}
