import type { Answer, NewCredential, passkeys } from "@terrarium/contract";
import { byUser, type Requested } from "../audit/by.ts";
import { checkFactorless } from "../second-factor/confirm.ts";
import { beginSession } from "../users/begin-session.ts";
import { creationOptions, insertMade, nameForNew, type PasskeyDeps, refuseKnown } from "./passkeys.ts";
import { relyingPartyAt } from "./relying-party.ts";
import { readNewPasskey } from "./verify.ts";

/**
 * Begins to add a passkey for somebody who cannot sign in without a second factor.
 * @throws AppError SECOND_FACTOR_EXPIRED also if they have a second factor by now, what `creationOptions` throws
 */
export async function beginRequiredPasskey(
  deps: PasskeyDeps,
  ticket: string,
): Promise<Answer<typeof passkeys.requiredOptions>> {
  const { user } = await deps.tickets.read(deps.db, "set-up", ticket);
  await checkFactorless(deps.db, deps, user);
  return creationOptions(deps, user, ["set up", user.uuid]);
}

/**
 * Adds the passkey that a browser has made, under the name of the device, and begins the session.
 * @throws AppError SECOND_FACTOR_EXPIRED, what `relyingPartyAt`, `readNewPasskey`, `insertMade` and `beginSession` throw
 */
export async function addRequiredPasskey(
  deps: PasskeyDeps,
  {
    ticket,
    credential,
    browser_token,
  }: { ticket: string; credential: NewCredential; browser_token?: string | undefined },
  from: Requested,
): Promise<Answer<typeof passkeys.addRequired>> {
  const { user, way } = await deps.tickets.read(deps.db, "set-up", ticket);
  const party = relyingPartyAt(deps.pagesAt());
  const made = await readNewPasskey(deps.passkeyChallenges, party, credential, ["set up", user.uuid]);
  let recovery_codes: string[] = [];
  const session = await beginSession(deps, user, browser_token, { ...from, way }, async (trx) => {
    await checkFactorless(trx, deps, user);
    const name = await nameForNew(trx, user.uuid, from);
    recovery_codes = (await insertMade(trx, deps, user, { made, name }, byUser(from, user))).recovery_codes;
  }).catch(refuseKnown);
  return { ...session, recovery_codes };
}
