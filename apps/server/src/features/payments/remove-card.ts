import { AppError, currencies } from "@terrarium/contract";
import { z } from "zod";
import { defineJob } from "../../platform/jobs/job.ts";
import type { PaymentDeps } from "./payments.ts";
import { isCardHeld } from "./payments.store.ts";

const Hold = z.object({ customer: z.string(), amount: z.int(), currency: z.enum(currencies) });

/** Has the payment provider forget a card that nobody has here, and give back a hold on it whose answer was lost. */
export const removeCard = defineJob({
  name: "remove-card",
  payload: z.object({ ref: z.string(), hold: Hold.optional() }),
  retry: { attempts: 60, longestMs: 6 * 3_600_000 },
  async run({ db, payments }: Pick<PaymentDeps, "db" | "payments">, { ref: card, hold }) {
    if (hold)
      await payments.verifyCard({ ...hold, card }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === "CARD_REFUSED")) throw error;
      });
    // It may have been added again meanwhile.
    if (!(await isCardHeld(db, card))) await payments.removeCard(card);
  },
});
