import type { Database } from "../../database/schema.ts";
import type { DatabaseRateLimiter, Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import { findByEmail, findGuestsByEmail, type Reachable } from "./reachable-users.store.ts";

export { findByUuid as lookUpByUuid, type Reachable } from "./reachable-users.store.ts";

/** Of people outside one's organization: enough to share with hundreds an hour, and too few to find out who has an account. */
export const lookUpsOfUser: Limit = { name: "e-mail addresses looked up by a user", max: 1000, windowMs: 60 * 60_000 };

export interface LookUpDeps {
  db: Database;
  limiter: DatabaseRateLimiter;
}

interface Member {
  uuid: string;
  organization: string;
}

/**
 * The people with these e-mail addresses who belong to the member's organization, and the guests. Accounts of other organizations look
 * as if they did not exist.
 * @throws TOO_MANY_REQUESTS
 */
export async function lookUpByEmail(
  { db, limiter }: LookUpDeps,
  member: Member,
  addresses: readonly string[],
): Promise<Reachable[]> {
  const emails = [...new Set(addresses.map((address) => address.toLowerCase()))];
  const colleagues = await findByEmail(db, member.organization, emails);
  const known = new Set(colleagues.map(({ email }) => email));
  const others = emails.filter((email) => !known.has(email));
  if (others.length === 0) return colleagues;
  await limiter.take(lookUpsOfUser, member.uuid, others.length);
  return [...colleagues, ...(await findGuestsByEmail(db, others))];
}
