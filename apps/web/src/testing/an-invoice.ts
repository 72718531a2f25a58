import type { Invoice } from "@terrarium/contract";
import { anId } from "./factories.ts";

const at = "2026-03-02T09:00:00.000Z";

/** An invoice of a week's use that is due. */
export const anInvoice = (fields: Partial<Invoice> = {}): Invoice => ({
  uuid: anId(),
  created_at: at,
  amount: 12_345,
  currency: "USD",
  status_history: [{ status: "PENDING", created_at: at }],
  ref_transaction: null,
  invoice_number: "INV-000042",
  invoice_ready: true,
  payment_url: null,
  plan: { usage_type: "metered" },
  period_start: "2026-02-23T09:00:00.000Z",
  period_end: at,
  due_at: "2026-04-01T09:00:00.000Z",
  ...fields,
});
