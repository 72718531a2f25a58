import { AppError, type Invitation, type InviteOutcome, limits, type Paging } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { transaction } from "../../platform/db/transaction.ts";
import { windowOf } from "../../platform/http/pages.ts";
import { newLinkKey } from "../../platform/mail/mailed-link.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { By } from "../audit/by.ts";
import { foundingOf, getOrganization } from "../organizations/organizations.ts";
import type { Actor } from "../sessions/actor.ts";
import { getUser } from "../users/users.ts";
import { invitationMail } from "./invitation-mail.ts";
import {
  deleteInvitation,
  findInvitations,
  findMembers,
  type InvitationRow,
  listInvitations,
  upsertInvitation,
} from "./invitations.store.ts";
import type { LinkingDeps } from "../deps.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Each is a mail. */
const invitationsOfOrganization: Limit = {
  name: "invitations: organization",
  max: 500,
  windowMs: MAX_WINDOW_MS,
};
/** Anybody can found an organization, and have us mail whomever they like a text of theirs. */
const invitationsOfYoung: Limit = { name: "invitations: young organization", max: 50, windowMs: MAX_WINDOW_MS };
const YOUNG_MS = 7 * DAY_MS;
/** By all organizations together, so that inviting again does not fill somebody's mailbox. */
const invitationsOfAddress: Limit = { name: "invitations: address", max: 5, windowMs: MAX_WINDOW_MS };

export type InvitationDeps = LinkingDeps;

type Member = Actor & { organization: string };

interface Wanted {
  email: string;
  message: string;
}

/**
 * Invites people by mail. Somebody who was invited before gets a new link, and the former one ends. An account of another organization is
 * invited like an address that nobody has: the reply does not show whether there is one.
 * @throws ALREADY_MEMBERS if all of them belong to the organization, TOO_MANY_REQUESTS
 */
export async function invite(
  deps: InvitationDeps,
  actor: Member,
  { emails, message }: { emails: readonly string[]; message: string },
  by: By,
): Promise<InviteOutcome[]> {
  return inviteEach(
    deps,
    actor,
    [...new Set(emails)].map((email) => ({ email, message })),
    by,
  );
}

/** @throws INVITATION_NOT_FOUND if one of them is not there, ALREADY_MEMBERS, TOO_MANY_REQUESTS */
export async function resendInvitations(
  deps: InvitationDeps,
  actor: Member,
  uuids: readonly string[],
  by: By,
): Promise<InviteOutcome[]> {
  const wanted = [...new Set(uuids)];
  const found = await findInvitations(deps.db, actor.organization, wanted);
  if (found.length < wanted.length) throw new AppError("INVITATION_NOT_FOUND");
  return inviteEach(deps, actor, found, by);
}

async function inviteEach(
  deps: InvitationDeps,
  actor: Member,
  wanted: readonly Wanted[],
  by: By,
): Promise<InviteOutcome[]> {
  const { db, clock, limiter } = deps;
  const emails = wanted.map(({ email }) => email);
  const members = await findMembers(db, actor.organization, emails);
  const added = wanted.filter(({ email }) => !members.has(email));
  if (added.length === 0) throw new AppError("ALREADY_MEMBERS", { details: { emails: emails.join(", ") } });
  const founded = await foundingOf(db, actor.organization);
  const isYoung = clock.now() - founded.getTime() < YOUNG_MS;
  await limiter.take(isYoung ? invitationsOfYoung : invitationsOfOrganization, actor.organization, added.length);
  for (const { email } of added) await limiter.take(invitationsOfAddress, email);
  return transaction(db, async (trx) => {
    const sent = await mailInvitations({ ...deps, db: trx }, actor, added, by);
    return emails.map((email) => {
      const uuid = sent.get(email);
      return uuid === undefined
        ? { email, outcome: "already_member", uuid: null }
        : { email, outcome: "invited", uuid };
    });
  });
}

/** Stores an invitation for each address and mails its link; returns their identifiers by address. */
async function mailInvitations(
  { db: trx, clock, audit, pagesAt }: InvitationDeps,
  actor: Member,
  wanted: readonly Wanted[],
  by: By,
): Promise<Map<string, string>> {
  const now = clock.now();
  const inviter = await getUser({ db: trx }, actor, actor.uuid);
  const { name: organization } = await getOrganization({ db: trx, clock }, actor, actor.organization);
  const sent = new Map<string, string>();
  for (const { email, message } of wanted) {
    const { key, hash: key_hash } = newLinkKey();
    const mail_uuid = randomUUID();
    const uuid = await upsertInvitation(trx, {
      uuid: randomUUID(),
      organization_uuid: actor.organization,
      email,
      inviter_uuid: actor.uuid,
      message,
      key_hash,
      mail_uuid,
      created_at: new Date(now),
      sent_at: new Date(now),
      expires_at: new Date(now + limits.invitationDays * DAY_MS),
    });
    await sendMail(
      trx,
      clock,
      invitationMail({ to: email, inviter, organization, message, url: `${pagesAt()}/join/${key}` }),
      { uuid: mail_uuid, key: mail_uuid },
    );
    await audit.record(trx, by, { action: "invitation.send", subject: { kind: "invitation", uuid } });
    sent.set(email, uuid);
  }
  return sent;
}

/** People who were invited and have not joined yet. */
export async function getInvitations({ db }: InvitationDeps, actor: Member, paging: Paging) {
  const { count, results } = await listInvitations(db, actor.organization, windowOf(paging));
  return { count, results: results.map(presentInvitation) };
}

/** @throws INVITATION_NOT_FOUND */
export async function cancelInvitation(
  { db, audit }: InvitationDeps,
  actor: Member,
  uuid: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    if (!(await deleteInvitation(trx, actor.organization, uuid))) throw new AppError("INVITATION_NOT_FOUND");
    await audit.record(trx, by, { action: "invitation.cancel", subject: { kind: "invitation", uuid } });
  });
}

const presentInvitation = (row: InvitationRow): Invitation => ({
  uuid: row.uuid,
  genyid: row.uuid,
  email: row.email,
  message: row.message,
  created_at: row.created_at.toISOString(),
  sent_at: row.sent_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
