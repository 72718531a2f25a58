import type { Answer, passkeys, UsedCredential } from "@terrarium/contract";
import type { Requested } from "../audit/by.ts";
import { recordUse } from "../second-factor/confirm.ts";
import { beginSession } from "../users/begin-session.ts";
import { type PasskeyDeps, usableAt } from "./passkeys.ts";
import { listPasskeys } from "./passkeys.store.ts";
import { ownerOfUsed, requestPasskey } from "./sign-in-with-passkey.ts";
import { userHandleOf } from "./verify.ts";

/**
 * What to ask the browser of somebody for who was asked for their second factor: one of their own passkeys.
 * @throws AppError SECOND_FACTOR_EXPIRED, PASSKEYS_NOT_AVAILABLE
 */
export async function requestConfirmation(
  deps: PasskeyDeps,
  ticket: string,
): Promise<Answer<typeof passkeys.confirmOptions>> {
  const { user } = await deps.tickets.read(deps.db, "confirm", ticket);
  const request = requestPasskey(deps, ["confirm a sign-in", user.uuid]);
  return { ...request, allowCredentials: usableAt(request.rpId, await listPasskeys(deps.db, user.uuid)) };
}

/**
 * Begins the session of somebody who was asked for their second factor.
 * @throws AppError SECOND_FACTOR_EXPIRED, what `ownerOfUsed` and `beginSession` throw
 */
export async function confirmWithPasskey(
  deps: PasskeyDeps,
  {
    ticket,
    credential,
    browser_token,
  }: { ticket: string; credential: UsedCredential; browser_token?: string | undefined },
  from: Requested,
): Promise<Answer<typeof passkeys.confirm>> {
  const { user, way } = await deps.tickets.read(deps.db, "confirm", ticket);
  // Authenticators that are asked for certain passkeys need not say whose they are.
  const userHandle = credential.response.userHandle ?? userHandleOf(user.uuid);
  const named = { ...credential, response: { ...credential.response, userHandle } };
  await ownerOfUsed(deps, named, ["confirm a sign-in", user.uuid], from);
  return beginSession(deps, user, browser_token, { ...from, way }, (trx) =>
    recordUse(trx, deps, user, "passkey", from),
  );
}
