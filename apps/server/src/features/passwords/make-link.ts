import type { Clock } from "@terrarium/clock";
import { limits } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { newLinkKey } from "../../platform/mail/mailed-link.ts";
import { insertLink, type LinkOwner } from "./passwords.store.ts";

const HOUR_MS = 60 * 60 * 1000;

/**
 * Makes a link to set a password for whoever has the address and may sign in; undefined if there is nobody. It works once, for
 * `limits.passwordLinkHours`.
 * @param origin of the service's pages
 */
export async function makePasswordLink(
  trx: Database,
  clock: Clock,
  { email, origin }: { email: string; origin: string },
): Promise<{ url: string; owner: LinkOwner } | undefined> {
  const { key, hash: key_hash } = newLinkKey();
  const expires_at = new Date(clock.now() + limits.passwordLinkHours * HOUR_MS);
  const owner = await insertLink(trx, { key_hash, email, expires_at });
  return owner && { url: `${origin}/password-reset/new/${key}`, owner };
}
