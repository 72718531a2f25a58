import { z } from "zod";
import { defineJob, PermanentError } from "../../platform/jobs/job.ts";
import type { SupportTarget } from "./support.ts";

/** A target that has not answered by then is tried again later. */
const TIMEOUT_MS = 10_000;
/** Refusals that pass. */
const TRY_AGAIN = [408, 425, 429];

/** Posts a message to the operator's webhook. It may arrive twice, with the same id. */
export const callSupportWebhook = defineJob({
  name: "call-support-webhook",
  payload: z.object({
    id: z.string(),
    /** Missing in one that was enqueued by an older server. */
    topic: z.string().default("support"),
    email: z.string(),
    message: z.string(),
    page: z.string().optional(),
    sent_at: z.string(),
  }),
  async run({ support }: { support?: SupportTarget | undefined }, message, signal) {
    if (!support?.webhook) throw new PermanentError("there is no webhook any more");
    const { ok, status } = await fetch(support.webhook, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message),
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (ok) return;
    const error = `the webhook replied with ${status}`;
    throw status < 500 && !TRY_AGAIN.includes(status) ? new PermanentError(error) : new Error(error);
  },
});
