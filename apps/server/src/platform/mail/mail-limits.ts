import { limits } from "@terrarium/contract";
import { networksOf } from "../network-of.ts";
import { takeNetworks } from "../rate-limits/count-networks.ts";
import { type DatabaseRateLimiter, type Limit, MAX_WINDOW_MS } from "../rate-limits/database-rate-limiter.ts";

const perClient: Limit = { name: "mails: client", max: 20, windowMs: MAX_WINDOW_MS };
const perRecipient: Limit = { name: "mails: recipient", max: limits.mailedLinksPerHour, windowMs: MAX_WINDOW_MS };

/**
 * Counts a mail that somebody who has not signed in asks us to send: by who asks, and by who gets it, so that nobody's mailbox can be
 * flooded. Addresses without an account count alike.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function admitMail(
  limiter: DatabaseRateLimiter,
  { kind, email, ip }: { kind: string; email: string; ip: string },
): Promise<void> {
  await takeNetworks(limiter, perClient, networksOf(ip));
  await limiter.take(perRecipient, `${kind} ${email}`);
}
