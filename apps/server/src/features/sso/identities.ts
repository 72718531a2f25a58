import { type Answer, AppError, type Identity, type sso } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { type By, byUser, type Requested } from "../audit/by.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { checkWayLeft } from "../sign-in-rules/ways.ts";
import { findUser, lockUser, type UserRow } from "../users/accounts.ts";
import { lockProven, proveSelf } from "../users/prove-self.ts";
import { checkSelf, type UserDeps } from "../users/users.ts";
import { linkedMail, unlinkedMail } from "./identity-mails.ts";
import type { Profile, Provider } from "./provider.ts";
import { deleteIdentity, type IdentityRow, insertIdentity, listIdentities, lockIdentity } from "./sso.store.ts";

/** With which accounts of providers somebody can sign in. */
export async function getIdentities(
  deps: UserDeps,
  actor: Actor,
  uuid: string,
): Promise<Answer<typeof sso.identities>> {
  const { db } = deps;
  await checkSelf(deps, actor, uuid);
  const user = await findUser(db, uuid);
  if (!user) throw new AppError("USER_NOT_FOUND");
  const identities = await listIdentities(db, uuid);
  return { identities: identities.map(presentIdentity), has_password: user.password_hash !== null };
}

/** The accounts at providers that somebody can sign in with, in words for people: `["Google as robin@example.com"]`. */
export const namesOfIdentities = async (db: Database, user: string): Promise<string[]> =>
  (await listIdentities(db, user)).map(({ label, email }) => `${label} as ${email}`);

/**
 * Stores that somebody can sign in with a provider, and notifies them if they could sign in before.
 * @throws AppError FORBIDDEN for an operator
 */
export async function addIdentity(
  { db: trx, clock, audit, pagesAt }: UserDeps,
  user: UserRow,
  { name: provider, label }: Provider,
  { issuer, subject, email: there }: Profile & { email: string },
  from: Requested & { isNew?: boolean },
): Promise<void> {
  // They would have a way in that they may not use (`checkWay`).
  if (user.is_operator) throw new AppError("FORBIDDEN");
  const now = new Date(clock.now());
  const uuid = randomUUID();
  const named = { provider, label, email: there, created_at: now, last_used_at: now };
  await insertIdentity(trx, { uuid, user_uuid: user.uuid, issuer, subject, ...named });
  const act = { action: "identity.link", subject: { kind: "identity", uuid }, details: { provider } } as const;
  await audit.record(trx, byUser(from, user), act);
  if (from.isNew) return;
  const mail = linkedMail({ email: user.email, label, there, pagesAt: pagesAt() });
  await sendMail(trx, clock, { to: { address: user.email }, ...mail });
}

/**
 * Links an account at a provider with the actor's. Its address may be another.
 * @throws AppError IDENTITY_IN_USE, SSO_EMAIL_NOT_VERIFIED, FORBIDDEN
 */
export async function linkIdentity(
  deps: UserDeps,
  actor: Actor,
  provider: Provider,
  profile: Profile,
  from: Requested,
): Promise<void> {
  sessionOf(actor);
  await transaction(deps.db, async (trx) => {
    await lockUser(trx, actor.uuid);
    const user = await findUser(trx, actor.uuid);
    const known = await lockIdentity(trx, profile.issuer, profile.subject);
    if (known && known.user_uuid !== actor.uuid) throw new AppError("IDENTITY_IN_USE");
    if (known || !user) return;
    const { email } = profile;
    if (email === undefined) throw new AppError("SSO_EMAIL_NOT_VERIFIED");
    await addIdentity({ ...deps, db: trx }, user, provider, { ...profile, email }, from);
  }).catch((error: unknown) => {
    // Somebody else has linked it meanwhile.
    throw isDuplicate(error, "identities_issuer_subject_key")
      ? new AppError("IDENTITY_IN_USE", { cause: error })
      : error;
  });
}

/**
 * Ends signing in with an account of a provider, for somebody who has proved who they are. Sessions go on.
 * @throws AppError IDENTITY_NOT_FOUND, what `checkSelf` and `proveSelf` throw; NO_PASSWORD if it is the last one that works of an account
 *   without a password: it might be the last way of signing in; LAST_WAY_TO_SIGN_IN where the organization allows none of the others
 */
export async function unlinkIdentity(
  deps: UserDeps,
  actor: Actor,
  { uuid, identity: which, password }: { uuid: string; identity: string; password?: string | undefined },
  by: By,
): Promise<void> {
  const { db, clock, audit, pagesAt } = deps;
  await checkSelf(deps, actor, uuid);
  const proven = await proveSelf(deps, actor, password);
  await transaction(db, async (trx) => {
    const user = await lockProven(trx, uuid, proven);
    const identities = await listIdentities(trx, uuid);
    const identity = identities.find((each) => each.uuid === which);
    if (!identity) throw new AppError("IDENTITY_NOT_FOUND");
    await deleteIdentity(trx, which);
    const ways = await checkWayLeft(trx, user, deps);
    const isLast = !identities.some((other) => other !== identity && ways.has(other.provider));
    if (proven === null && isLast) throw new AppError("NO_PASSWORD");
    const { label, email: there, provider } = identity;
    await audit.record(trx, by, {
      action: "identity.unlink",
      subject: { kind: "identity", uuid: which },
      details: { provider },
    });
    const mail = unlinkedMail({ email: user.email, label, there, pagesAt: pagesAt() });
    await sendMail(trx, clock, { to: { address: user.email }, ...mail });
  });
}

const presentIdentity = ({ uuid, provider, label, email, created_at, last_used_at }: IdentityRow): Identity => ({
  uuid,
  provider,
  label,
  email,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at.toISOString(),
});
