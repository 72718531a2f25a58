import { AppError } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import { byCaller, type Requested } from "../audit/by.ts";
import { supportMail } from "./support-mail.ts";
import { callSupportWebhook } from "./support.jobs.ts";
import type { LimitedDeps } from "../deps.ts";

/** Where messages go. Without both, none are accepted. */
export interface SupportTarget {
  email: string | undefined;
  /** The address that messages are posted to as JSON. */
  webhook: string | undefined;
}

export interface SupportDeps extends LimitedDeps {
  support?: SupportTarget | undefined;
}

interface Message {
  topic: "support" | "feedback";
  email: string;
  message: string;
  page?: string | undefined;
}

const perClient: Limit = { name: "support: client", max: 5, windowMs: MAX_WINDOW_MS };
/** Whoever has many addresses still cannot fill the operator's mailbox. */
const inAll: Limit = { name: "support: all", max: 200, windowMs: MAX_WINDOW_MS };

/**
 * Passes a message on to the operator, from somebody who may not have signed in.
 * @throws AppError SUPPORT_NOT_AVAILABLE, TOO_MANY_REQUESTS
 */
export async function sendToSupport(
  { db, clock, audit, limiter, support }: SupportDeps,
  sent: Message,
  from: Requested,
): Promise<void> {
  const { ip, requestId } = from;
  if (!support?.email && !support?.webhook) throw new AppError("SUPPORT_NOT_AVAILABLE");
  await takeNetworks(limiter, perClient, networksOf(ip));
  await limiter.take(inAll, "");
  await transaction(db, async (trx) => {
    await audit.record(trx, byCaller(from), { action: "support.send" });
    const key = `support ${requestId}`;
    if (support.email) await sendMail(trx, clock, { to: { address: support.email }, ...supportMail(sent) }, { key });
    const payload = { id: requestId, ...sent, sent_at: new Date(clock.now()).toISOString() };
    if (support.webhook) await enqueue(trx, clock, callSupportWebhook, payload, { key });
  });
}
