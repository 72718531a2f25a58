import { z } from "zod";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { PaymentDeps } from "./payments.ts";
import { findInvoiceOfCharge } from "./payments.store.ts";

/** The job of the plans' room that collects an invoice, and asks what became of a charge that is open. */
const chargeInvoice = { name: "charge-invoice", payload: z.object({ invoice: z.guid() }) };

/** Has the invoice of a charge look at what became of it, soon. A charge that is not ours is left alone. */
export async function settleCharge({ db, clock }: Pick<PaymentDeps, "db" | "clock">, charge: string): Promise<void> {
  const invoice = await findInvoiceOfCharge(db, charge);
  if (invoice !== undefined) await enqueue(db, clock, chargeInvoice, { invoice });
}
