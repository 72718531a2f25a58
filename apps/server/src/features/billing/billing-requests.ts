import { plans } from "@terrarium/contract";
import { z } from "zod";

/** The job that asks the payment provider for the amount of an invoice, as whoever issues one enqueues it. */
export const chargeRequest = { name: "charge-invoice", payload: z.object({ invoice: z.guid() }) };

/** The job that looks up the outcome of a payment, or of an additional charge for it, as the provider's messages enqueue it. */
export const lookRequest = {
  name: "look-at-payment",
  payload: z.object({ payment: z.guid(), charge: z.string().optional() }),
};

/** The job that pays back: what a credit note says, or a charge for which there was nothing to pay. */
export const refundRequest = {
  name: "refund-payment",
  payload: z.object({ payment: z.guid(), note: z.guid().nullable(), charge: z.string().optional() }),
};

/** The job that agrees on another price with all plans that run at the one that was asked before. Cents. */
export const repriceRequest = {
  name: "reprice-plans",
  payload: z.object({ plan: z.enum(plans), was: z.int(), price: z.int() }),
};
