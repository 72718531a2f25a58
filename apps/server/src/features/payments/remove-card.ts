import { z } from "zod";
import { defineJob, PermanentError } from "../../platform/jobs/job.ts";
import type { PaymentDeps } from "./payments.ts";

/** Has the payment provider forget a card. */
export const removeCard = defineJob({
  name: "remove-card",
  payload: z.object({ provider: z.string(), ref: z.string() }),
  retry: { attempts: 60, longestMs: 6 * 3_600_000 },
  async run({ payments }: Pick<PaymentDeps, "payments">, { provider, ref }) {
    if (payments.name !== provider) throw new PermanentError(`there is no ${provider} any more`);
    await payments.removeCard(ref);
  },
});
