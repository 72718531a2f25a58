import { type Answer, AppError, type users } from "@terrarium/contract";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { refuseDisposable } from "../accounts/email-domains.ts";
import { byCaller, type Requested } from "../audit/by.ts";
import { findUser, lockUserByEmail, updateUser, type UserRow } from "../users/accounts.ts";
import { beginSession, noSecondFactor } from "../users/begin-session.ts";
import { createUser } from "../users/create-user.ts";
import type { UserDeps } from "../users/users.ts";
import { visibleName } from "../users/visible-name.ts";
import { followClaim } from "./groups-claim.ts";
import { addIdentity } from "./identities.ts";
import type { Profile, Provider } from "./provider.ts";
import { lockIdentity, noteIdentityUse } from "./sso.store.ts";

/**
 * Signs in whoever a provider says is there.
 *
 * An account is found by the provider's issuer and subject, never by its address alone: addresses change hands. Somebody new gets an
 * account, if the provider has verified their address and nobody has it. If somebody does, the two are linked only where the provider decides
 * who has the address (`isAuthoritative`), as its owner could get a new password there anyway. Others verified it by a mail at some time
 * in the past, which must not open an account today: its owner signs in and links the provider in the profile.
 *
 * An account that was registered with the address and never confirmed is nobody's. It gives way: the password that was set goes, so
 * that whoever registered it does not share what its owner uses from now on.
 *
 * @throws AppError SSO_EMAIL_NOT_VERIFIED, SSO_ACCOUNT_EXISTS, DISPOSABLE_EMAIL, INVITATION_WRONG_ACCOUNT, USER_NOT_ENABLED, TOO_MANY_REQUESTS,
 *   and what `askForSecondFactor` throws, unless it is the own provider of the account's organization, for an address at its domain
 */
export async function signInWith(
  deps: UserDeps,
  provider: Provider,
  profile: Profile,
  { invited_email: invited, browser_token }: { invited_email: string | null; browser_token: string | undefined },
  from: Requested,
): Promise<Answer<typeof users.login>> {
  const find = () =>
    transaction(deps.db, async (trx) => {
      const found = await accountOf({ ...deps, db: trx }, provider, profile, invited, from);
      if (!found?.is_enabled) throw new AppError("USER_NOT_ENABLED");
      if (invited !== null && found.email !== invited) throw new AppError("INVITATION_WRONG_ACCOUNT");
      return found;
    });
  const user = await find().catch((error: unknown) => {
    // The account was created or linked meanwhile, perhaps in another tab: now it is found.
    if (isDuplicate(error)) return find();
    throw error;
  });
  // An organization asks for second factors at its own provider. At the same issuer there may be accounts that are not the organization's,
  // such as somebody's private one, of which it can ask nothing.
  const vouched_by = (profile.isAuthoritative && provider.organization) || null;
  if (vouched_by !== null && vouched_by === user.organization_uuid) {
    const isChanged = await followClaim(deps, user, profile.groups, from);
    const now = (isChanged && (await findUser(deps.db, user.uuid))) || user;
    return beginSession(deps, now, browser_token, { ...from, way: "organization", vouched_by }, noSecondFactor);
  }
  // The provider of an organization is no way that another one could have allowed.
  const way = provider.organization === undefined ? provider.name : "provider of another organization";
  return beginSession(deps, user, browser_token, { ...from, way, vouched_by });
}

async function accountOf(
  deps: UserDeps,
  provider: Provider,
  profile: Profile,
  invited: string | null,
  from: Requested,
): Promise<UserRow | undefined> {
  const { db: trx, clock } = deps;
  const identity = await lockIdentity(trx, profile.issuer, profile.subject);
  if (identity) {
    await noteIdentityUse(trx, identity.uuid, profile.email ?? identity.email, new Date(clock.now()));
    return findUser(trx, identity.user_uuid);
  }
  const { email } = profile;
  if (email === undefined) throw new AppError("SSO_EMAIL_NOT_VERIFIED");
  // The provider of an organization has no say about other addresses, and makes nobody a member who has none of the organization's.
  if (provider.organization !== undefined && !profile.isAuthoritative) throw new AppError("SSO_EMAIL_NOT_VERIFIED");
  if (invited !== null && email !== invited) throw new AppError("INVITATION_WRONG_ACCOUNT");
  const known = await lockUserByEmail(trx, email);
  if (known?.is_validated && !profile.isAuthoritative) throw new AppError("SSO_ACCOUNT_EXISTS");
  // As when somebody signs up. Whoever invites somebody answers for them.
  if (!known && invited === null) await refuseDisposable(email);
  if (known && !known.is_validated) await updateUser(trx, known.uuid, { is_validated: true, password_hash: null });
  const uuid = known?.uuid ?? (await create(deps, provider, { ...profile, email }, from));
  const user = await findUser(trx, uuid);
  if (user?.is_enabled) await addIdentity(deps, user, provider, { ...profile, email }, { ...from, isNew: !known });
  return user;
}

/** Creates an account; the terms are accepted on the next page. Returns its identifier. */
async function create(
  { db: trx, clock, audit }: UserDeps,
  { organization }: Provider,
  { email, firstName, lastName }: Profile & { email: string },
  from: Requested,
): Promise<string> {
  const { uuid } = await createUser(trx, {
    email,
    first_name: visibleName(firstName),
    last_name: visibleName(lastName),
    organization_uuid: organization ?? null,
    created_at: new Date(clock.now()),
  });
  const details = { role: organization === undefined ? "guest" : "user", by: "provider" };
  const subject = { kind: "user", uuid } as const;
  await audit.record(trx, byCaller(from), {
    action: "user.create",
    subject,
    organization: organization ?? null,
    details,
  });
  return uuid;
}
