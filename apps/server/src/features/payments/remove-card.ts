import { z } from "zod";
import { defineJob } from "../../platform/jobs/job.ts";
import type { PaymentDeps } from "./payments.ts";

/** Has the payment provider forget a card. */
export const removeCard = defineJob({
  name: "remove-card",
  payload: z.object({ ref: z.string() }),
  retry: { attempts: 60, longestMs: 6 * 3_600_000 },
  run: ({ payments }: Pick<PaymentDeps, "payments">, { ref }) => payments.removeCard(ref),
});
