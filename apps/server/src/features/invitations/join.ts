import { type Answer, AppError, type invitations, Password } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { isDuplicate } from "../../platform/db/database-errors.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { hashLinkKey } from "../../platform/mail/mailed-link.ts";
import { networkOf } from "../../platform/network-of.ts";
import { byCaller, byUser, type Requested } from "../audit/by.ts";
import { joinDefaultGroup } from "../groups/default-group.ts";
import { bearerTokenOf } from "../sessions/bearer-token.ts";
import { sessionOf } from "../sessions/actor.ts";
import { type Begun, endSessionsUnless, findBegun } from "../sessions/end-all.ts";
import { hasSignedInWithin } from "../sessions/own-sessions.ts";
import { askToSetUp, lacksFactor } from "../second-factor/ask.ts";
import { checkWay, rulesForNewMember } from "../sign-in-rules/ways.ts";
import { findUser, findUserByEmail, lockUserByEmail, updateUser } from "../users/accounts.ts";
import { refuseCommonPassword } from "../users/common-passwords.ts";
import { beginSession } from "../users/begin-session.ts";
import { createUser } from "../users/create-user.ts";
import { hashPassword } from "../users/passwords.ts";
import { presentUser } from "../users/present-user.ts";
import { recognize, type UserDeps } from "../users/users.ts";
import { findByKey, type NamedInvitation, takeInvitation } from "./invitations.store.ts";

type Joined = Answer<typeof invitations.accept>;

interface Acceptance {
  /** That of the account with the address, or a new one; none if the caller is signed in to that account. */
  password?: string | undefined;
  tnc_accepted: boolean;
  browser_token?: string | undefined;
}

/**
 * What a mailed invitation is for.
 * @throws AppError LINK_EXPIRED; if the link was good once, its details say whom to ask for another
 */
export async function getInvitation(deps: UserDeps, key: string): Promise<Answer<typeof invitations.get>> {
  const invitation = await findGood(deps, key);
  const { email, organization_name, inviter } = invitation;
  const account = await findUserByEmail(deps.db, email);
  return {
    email,
    organization: { name: organization_name },
    inviter: inviter && { first_name: inviter.first_name, last_name: inviter.last_name },
    expired: false,
    has_account: account?.is_validated ?? false,
  };
}

async function findGood({ db, clock }: UserDeps, key: string): Promise<NamedInvitation> {
  const invitation = await findByKey(db, hashLinkKey(key));
  if (!invitation) throw new AppError("LINK_EXPIRED");
  const { organization_name: organization, inviter } = invitation;
  if (invitation.expires_at.getTime() <= clock.now())
    throw new AppError("LINK_EXPIRED", { details: { organization, ...(inviter ? { inviter: inviter.email } : {}) } });
  return invitation;
}

/**
 * Makes whoever has a mailed invitation a member of the organization, and signs them in. An account that has the address joins, if its
 * password is given or the caller is signed in to it: the link alone opens no account that somebody uses. Otherwise an account is created.
 * @throws AppError LINK_EXPIRED, INVITATION_WRONG_ACCOUNT, MEMBER_ELSEWHERE, SIGN_IN_NOT_ALLOWED, PASSWORD_TOO_COMMON, NOT_AUTHENTICATED,
 *   SIGN_IN_AGAIN, what `recognize` and `beginSession` throw: who is asked to sign in again, or for a second factor, has joined
 * @throws ZodError that names the rule which a new password breaks
 */
export async function join(
  deps: UserDeps,
  { key, authorization, ...acceptance }: Acceptance & { key: string; authorization: string | undefined },
  from: Requested,
): Promise<Joined> {
  const invitation = await findGood(deps, key);
  if (acceptance.password === undefined) return joinSignedIn(deps, key, invitation, authorization, from);
  const account = await findUserByEmail(deps.db, invitation.email);
  // Before they have joined: they can still do so in a way that is allowed.
  await checkWay(deps.db, { uuid: account?.uuid, organization_uuid: invitation.organization_uuid }, "password");
  return account?.is_validated
    ? joinByPassword(deps, key, { ...acceptance, email: invitation.email, password: acceptance.password }, from)
    : joinAnew(deps, key, { ...acceptance, password: acceptance.password }, from);
}

/** With the session of the account that was invited, as after a sign-in through a provider. */
async function joinSignedIn(
  deps: UserDeps,
  key: string,
  { email }: NamedInvitation,
  authorization: string | undefined,
  from: Requested,
): Promise<Joined> {
  const token = bearerTokenOf(authorization);
  const caller = token === undefined ? undefined : await deps.sessions.byToken(token, from.ip);
  const actor = await caller?.actor;
  if (token === undefined || !actor) throw new AppError("NOT_AUTHENTICATED");
  const user = await findUser(deps.db, actor.uuid);
  if (user?.email !== email) throw new AppError("INVITATION_WRONG_ACCOUNT");
  await transaction(deps.db, (trx) => addMember(deps, trx, { key, email }, from));
  const joined = await findUser(deps.db, user.uuid);
  if (!joined) throw new AppError("NOT_AUTHENTICATED");
  // The session that they joined with has ended if it is not enough for their organization.
  const { allows, sessionMs } = await rulesForNewMember(deps.db, joined.organization_uuid);
  const begun = (await findBegun(deps.db, sessionOf(actor))) ?? { way: null, vouched_by: null };
  const isVouched = begun.vouched_by === joined.organization_uuid;
  if (allows(begun) && !isVouched) await askToSetUp(deps.db, deps, joined, begun.way ?? undefined);
  if (!(await hasSignedInWithin(deps, actor, sessionMs))) throw new AppError("SIGN_IN_AGAIN");
  return { token, user: presentUser(joined) };
}

async function joinByPassword(
  deps: UserDeps,
  key: string,
  { email, password, browser_token }: Acceptance & { email: string; password: string },
  from: Requested,
): Promise<Joined> {
  const { uuid } = await recognize(deps, { email, password, browser_token }, from);
  await transaction(deps.db, (trx) => addMember(deps, trx, { key, email }, from));
  const user = await findUser(deps.db, uuid);
  if (!user) throw new AppError("NOT_AUTHENTICATED");
  return beginSession(deps, user, browser_token, { ...from, way: "password" });
}

/** With a new account. One that was registered with the address and never confirmed is nobody's, and gives way. */
async function joinAnew(
  deps: UserDeps,
  key: string,
  { password, tnc_accepted, browser_token }: Acceptance & { password: string },
  from: Requested,
): Promise<Joined> {
  const { db, clock, audit } = deps;
  z.object({ password: Password }).parse({ password });
  await refuseCommonPassword(password);
  const password_hash = await hashPassword(password, { lane: networkOf(from.ip), isKnown: false });
  const uuid = await transaction(db, async (trx) => {
    const now = new Date(clock.now());
    const invitation = await takeInvitation(trx, hashLinkKey(key));
    if (!invitation) throw new AppError("LINK_EXPIRED");
    const { email, organization_uuid } = invitation;
    const account = {
      password_hash,
      organization_uuid,
      is_organization_manager: false,
      tnc_accepted_at: tnc_accepted ? now : null,
    };
    const registered = await lockUserByEmail(trx, email);
    // Confirmed since it was looked at.
    if (registered?.is_validated) throw new AppError("LINK_EXPIRED");
    if (registered) {
      await updateUser(trx, registered.uuid, { ...account, is_validated: true });
      await joinDefaultGroup(trx, { uuid: registered.uuid, organization_uuid });
    }
    const { uuid } = registered ?? (await createUser(trx, { email, created_at: now, ...account }));
    const subject = { kind: "user", uuid } as const;
    await audit.record(
      trx,
      byCaller(from),
      { action: "user.create", subject, organization: organization_uuid, details: { role: "user", by: "invitation" } },
      {
        action: "invitation.accept",
        subject: { kind: "invitation", uuid: invitation.uuid },
        organization: organization_uuid,
      },
    );
    return uuid;
  }).catch((error: unknown) => {
    // Somebody else made an account with the address meanwhile, such as by another invitation.
    throw isDuplicate(error, "users_email_key") ? new AppError("LINK_EXPIRED", { cause: error }) : error;
  });
  const user = await findUser(db, uuid);
  if (!user) throw new AppError("LINK_EXPIRED");
  return beginSession(deps, user, browser_token, { ...from, way: "password" });
}

/** Makes the guest with the invited address a member, unless they are one already. */
async function addMember(
  deps: UserDeps,
  trx: Database,
  { key, email }: { key: string; email: string },
  from: Requested,
): Promise<void> {
  const { clock, audit, pagesAt } = deps;
  const invitation = await takeInvitation(trx, hashLinkKey(key));
  const user = await lockUserByEmail(trx, email);
  if (invitation?.email !== email || !user) throw new AppError("LINK_EXPIRED");
  const { organization_uuid } = invitation;
  if (user.organization_uuid !== null && user.organization_uuid !== organization_uuid)
    throw new AppError("MEMBER_ELSEWHERE");
  // Whoever runs the service is no customer.
  if (user.is_operator) throw new AppError("MEMBER_ELSEWHERE");
  if (user.organization_uuid === null) {
    await updateUser(trx, user.uuid, { organization_uuid });
    await joinDefaultGroup(trx, { uuid: user.uuid, organization_uuid });
    const isLacking = await lacksFactor(trx, user.uuid, pagesAt());
    const { allows } = await rulesForNewMember(trx, organization_uuid);
    const isEnough = (begun: Begun) => allows(begun) && (!isLacking || begun.vouched_by === organization_uuid);
    await endSessionsUnless(trx, user.uuid, isEnough, new Date(clock.now()));
  }
  const by = byUser(from, { uuid: user.uuid, organization_uuid });
  await audit.record(trx, by, { action: "invitation.accept", subject: { kind: "invitation", uuid: invitation.uuid } });
}
