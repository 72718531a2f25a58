import { type Answer, AppError, type passkeys, type UsedCredential } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import { networksOf } from "../../platform/network-of.ts";
import { takeNetworks } from "../../platform/rate-limits/count-networks.ts";
import type { Limit } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Requested } from "../audit/by.ts";
import { findUser, type UserRow } from "../users/accounts.ts";
import { beginSession, noSecondFactor } from "../users/begin-session.ts";
import { CHALLENGE_MS, type Purpose } from "./challenges.ts";
import type { PasskeyDeps } from "./passkeys.ts";
import { lockPasskey, updatePasskey } from "./passkeys.store.ts";
import { relyingPartyAt } from "./relying-party.ts";
import { takeChallenge, verifyUse } from "./verify.ts";

/** Each leaves a row. Nobody can guess a passkey, so accounts have no limit that strangers could use up. */
export const usesByClient: Limit = { name: "passkeys: used by a client", max: 60, windowMs: 60_000 };

/**
 * What to ask a browser for: any passkey that it has for this service, so that the page needs to know no account.
 * @throws AppError PASSKEYS_NOT_AVAILABLE
 */
export function requestPasskey(
  { pagesAt, passkeyChallenges }: Pick<PasskeyDeps, "pagesAt" | "passkeyChallenges">,
  purpose: Purpose,
): Answer<typeof passkeys.signInOptions> {
  const { id: rpId } = relyingPartyAt(pagesAt());
  return { challenge: passkeyChallenges.issue(purpose), rpId, timeout: CHALLENGE_MS, userVerification: "required" };
}

/**
 * Signs in whoever has used a passkey. It is something they have, and their device has checked that it is them: there is no second step.
 * @throws AppError USER_NOT_ENABLED, what `ownerOfUsed` and `beginSession` throw
 */
export async function signInWithPasskey(
  deps: PasskeyDeps,
  { credential, browser_token }: { credential: UsedCredential; browser_token?: string | undefined },
  from: Requested,
): Promise<Answer<typeof passkeys.signIn>> {
  const user = await ownerOfUsed(deps, credential, ["sign in"], from);
  if (!user.is_enabled || !user.is_validated) throw new AppError("USER_NOT_ENABLED");
  return beginSession(deps, user, browser_token, { ...from, way: "passkey" }, noSecondFactor);
}

/**
 * Whose passkey was used, which is noted. A sign-in is confirmed only with one of whoever began it.
 * @throws AppError PASSKEYS_NOT_AVAILABLE, PASSKEY_UNKNOWN, PASSKEY_REFUSED, TOO_MANY_REQUESTS
 */
export async function ownerOfUsed(
  { db, clock, limiter, pagesAt, passkeyChallenges }: PasskeyDeps,
  credential: UsedCredential,
  purpose: Purpose,
  from: Requested,
): Promise<UserRow> {
  const party = relyingPartyAt(pagesAt());
  await takeNetworks(limiter, usesByClient, networksOf(from.ip));
  const challenge = await takeChallenge(passkeyChallenges, credential, purpose);
  return transaction(db, async (trx) => {
    const passkey = await lockPasskey(trx, Buffer.from(credential.id, "base64url"), party.id);
    const user = passkey && (await findUser(trx, passkey.user_uuid));
    if (!user || (purpose[0] === "confirm a sign-in" && purpose[1] !== user.uuid))
      throw new AppError("PASSKEY_UNKNOWN");
    const news = await verifyUse(party, passkey, credential, challenge);
    await updatePasskey(trx, passkey.uuid, { ...news, last_used_at: new Date(clock.now()) });
    return user;
  });
}
