import {
  activeStates,
  AppError,
  limits,
  type LiveSession,
  type liveSessions,
  type Received,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { type Rows, windowOf } from "../../platform/http/pages.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { By } from "../audit/by.ts";
import { getInstance } from "../instances/instances.ts";
import type { Actor } from "../sessions/actor.ts";
import { countInvited, findPeople } from "../shares/find-recipients.ts";
import { lookUpsOfUser, type Reachable } from "../users/look-up.ts";
import { liveSessionMail } from "./live-session-mail.ts";
import { checkSession } from "./live-sessions.policy.ts";
import {
  deleteParticipant,
  deleteSession,
  findSession,
  findSessionOf,
  insertParticipants,
  insertSession,
  listSessions,
  type LiveSessionRow,
  lockSession,
  lockState,
  updateControl,
} from "./live-sessions.store.ts";
import type { LinkingDeps } from "../deps.ts";

export type LiveSessionDeps = LinkingDeps;

/** The owner of the device is one of them. */
const MAX_PARTICIPANTS = limits.liveSessionMembers - 1;

/** The sessions of the actor's devices, and those that they take part in. */
export async function listLiveSessions(
  { db }: LiveSessionDeps,
  actor: Actor,
  query: Received<typeof liveSessions.list>["query"],
): Promise<Rows<LiveSession>> {
  const { instance, search, ordering } = query;
  const { count, results } = await listSessions(db, { user: actor.uuid, instance, search, ordering }, windowOf(query));
  return { count, results: results.map((row) => presentSession(actor, row)) };
}

/** @throws LIVE_SESSION_NOT_FOUND, LIVE_SESSION_NOT_ALLOWED */
export async function getLiveSession({ db }: LiveSessionDeps, actor: Actor, uuid: string): Promise<LiveSession> {
  const row = await findSession(db, uuid);
  checkSession(actor, "see", row);
  return presentSession(actor, row);
}

/**
 * Shares a device of the actor's; if it is shared already, with more people. Each new one gets a mail.
 * @throws INSTANCE_NOT_FOUND, INSTANCE_ENDED, INSTANCE_NOT_ALLOWED, INSTANCE_NOT_RUNNING, RECIPIENTS_NOT_FOUND, LIVE_SESSION_FULL,
 * TOO_MANY_REQUESTS
 */
export async function shareInstance(
  deps: LiveSessionDeps,
  actor: Actor,
  { instance, invitations, message }: Received<typeof liveSessions.create>["body"],
  by: By,
): Promise<LiveSession> {
  const { db, clock, audit } = deps;
  const device = await getInstance(deps, actor, instance, "display");
  const session = await findSession(db, instance, "instance_uuid");
  const people = await findInvited(deps, actor, device.organization_uuid, invitations, session);
  return transaction(db, async (trx) => {
    const state = await lockState(trx, instance);
    if (!state || !activeStates.includes(state)) throw new AppError("INSTANCE_NOT_RUNNING", { facts: { state } });
    const now = new Date(clock.now());
    await insertSession(trx, { uuid: randomUUID(), instance_uuid: instance, created_at: now });
    const row = await findSession(trx, instance, "instance_uuid");
    if (!row) throw new Error("a live session that was just begun is not there");
    if (!session && people.length === 0) await audit.record(trx, by, shared(row, []));
    return add({ ...deps, db: trx }, actor, { row, people, message, by });
  });
}

/**
 * Invites more people to a session of the actor's. Each gets a mail.
 * @throws LIVE_SESSION_NOT_FOUND, LIVE_SESSION_NOT_ALLOWED, LIVE_SESSION_NOT_OWNED, RECIPIENTS_NOT_FOUND, LIVE_SESSION_FULL,
 * TOO_MANY_REQUESTS
 */
export async function invite(
  deps: LiveSessionDeps,
  actor: Actor,
  { livesession, invitations, message }: Received<typeof liveSessions.invite>["body"],
  by: By,
): Promise<LiveSession> {
  const row = await findSession(deps.db, livesession);
  checkSession(actor, "change", row);
  const people = await findInvited(deps, actor, row.instance_organization_uuid, invitations, row);
  return transaction(deps.db, (trx) => add({ ...deps, db: trx }, actor, { row, people, message, by }));
}

/**
 * Ends a session of the actor's.
 * @throws LIVE_SESSION_NOT_FOUND, LIVE_SESSION_NOT_ALLOWED, LIVE_SESSION_NOT_OWNED
 */
export async function endLiveSession(
  { db, audit }: LiveSessionDeps,
  actor: Actor,
  uuid: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await findSession(trx, uuid);
    checkSession(actor, "change", row);
    if (!(await deleteSession(trx, uuid))) throw new AppError("LIVE_SESSION_NOT_FOUND");
    await audit.record(trx, by, unshared(row, row.participants));
  });
}

/**
 * Lets a participant of a session of the actor's touch the device, or only watch it.
 * @throws PARTICIPANT_NOT_FOUND, LIVE_SESSION_NOT_OWNED
 */
export async function setControl(
  { db, audit }: LiveSessionDeps,
  actor: Actor,
  participant: string,
  canControl: boolean,
  by: By,
): Promise<LiveSession> {
  return transaction(db, async (trx) => {
    const row = await findFor(trx, actor, participant);
    checkSession(actor, "change", row);
    if (!(await updateControl(trx, participant, canControl))) throw new AppError("PARTICIPANT_NOT_FOUND");
    const users = row.participants.find(({ uuid }) => uuid === participant)?.user_uuid ?? null;
    const details = { users, can_control: canControl };
    await audit.record(trx, by, { action: "instance.set_control", ...about(row), details });
    const after = await findFor(trx, actor, participant);
    return presentSession(actor, after);
  });
}

/**
 * Removes a participant, which the owner may do, and the participant themselves.
 * @throws PARTICIPANT_NOT_FOUND, LIVE_SESSION_NOT_OWNED
 */
export async function removeParticipant(
  { db, audit }: LiveSessionDeps,
  actor: Actor,
  participant: string,
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const row = await findFor(trx, actor, participant);
    const removed = row.participants.filter(({ uuid }) => uuid === participant);
    const isLeaving = removed.some(({ user_uuid }) => user_uuid === actor.uuid);
    checkSession(actor, isLeaving ? "see" : "change", row);
    if (!(await deleteParticipant(trx, participant))) throw new AppError("PARTICIPANT_NOT_FOUND");
    await audit.record(trx, by, unshared(row, removed));
  });
}

/** The session of a participant, if the actor may see it: to all others there is no such participant. */
async function findFor(db: Database, actor: Actor, participant: string): Promise<LiveSessionRow> {
  const row = await findSessionOf(db, participant);
  if (!row || (row.owner_uuid !== actor.uuid && !row.participants.some(({ user_uuid }) => user_uuid === actor.uuid)))
    throw new AppError("PARTICIPANT_NOT_FOUND");
  return row;
}

/**
 * The people to invite who do not take part yet; they are counted, as each gets a mail. A guest finds people of the organization that
 * their device counts for, and no more of them than of strangers.
 */
async function findInvited(
  deps: LiveSessionDeps,
  actor: Actor,
  organization: string,
  keys: readonly string[],
  session: LiveSessionRow | undefined,
): Promise<Reachable[]> {
  if (actor.organization === null) await deps.limiter.take(lookUpsOfUser, actor.uuid, keys.length);
  const member = { uuid: actor.uuid, organization: actor.organization ?? organization };
  const known = new Set(session?.participants.map(({ user_uuid }) => user_uuid));
  const people = await findPeople(deps, member, keys, known);
  const added = people.filter(({ uuid }) => !known.has(uuid) && uuid !== actor.uuid);
  await countInvited(deps.limiter, actor.uuid, added);
  return added;
}

interface Addition {
  row: LiveSessionRow;
  people: readonly Reachable[];
  message: string;
  by: By;
}

/** Adds people to a session, as many as fit however many do so at once, and mails them. */
async function add(
  { db: trx, clock, audit, pagesAt }: LiveSessionDeps,
  actor: Actor,
  { row, people, message, by }: Addition,
): Promise<LiveSession> {
  if (!(await lockSession(trx, row.uuid))) throw new AppError("LIVE_SESSION_NOT_FOUND");
  const before = await findSession(trx, row.uuid);
  const taken = new Set(before?.participants.map(({ user_uuid }) => user_uuid));
  const added = people.filter(({ uuid }) => !taken.has(uuid));
  if (taken.size + added.length > MAX_PARTICIPANTS) throw new AppError("LIVE_SESSION_FULL");
  const { uuid: live_session_uuid, instance_uuid } = row;
  const created_at = new Date(clock.now());
  await insertParticipants(
    trx,
    added.map(({ uuid }) => ({
      uuid: randomUUID(),
      live_session_uuid,
      instance_uuid,
      user_uuid: uuid,
      created_at,
    })),
  );
  const session = await findSession(trx, row.uuid);
  if (!session) throw new Error("a live session that is locked is not there");
  if (added.length > 0) {
    await audit.record(trx, by, shared(row, added));
    const from = { email: row.owner_email, first_name: row.owner_first_name, last_name: row.owner_last_name };
    for (const to of added.filter(({ is_active }) => is_active)) {
      const instance = { name: row.instance_name };
      await sendMail(trx, clock, liveSessionMail({ to, from, session, instance, message, pagesAt: pagesAt() }));
    }
  }
  return presentSession(actor, session);
}

/** Whom the managers of the device's organization read this of. */
const about = ({ instance_uuid: uuid, instance_organization_uuid: organization }: LiveSessionRow) => ({
  subject: { kind: "instance", uuid } as const,
  organization,
});

const shared = (row: LiveSessionRow, people: readonly Reachable[]) => ({
  action: "instance.share" as const,
  ...about(row),
  details: { users: people.map(({ uuid }) => uuid).join(" ") },
});

const unshared = (row: LiveSessionRow, people: LiveSessionRow["participants"]) => ({
  action: "instance.unshare" as const,
  ...about(row),
  details: { users: people.map(({ user_uuid }) => user_uuid).join(" ") },
});

const presentSession = (actor: Actor, row: LiveSessionRow): LiveSession => ({
  uuid: row.uuid,
  created_at: row.created_at.toISOString(),
  owner: {
    genyid: row.owner_uuid,
    first_name: row.owner_first_name,
    last_name: row.owner_last_name,
    email: row.owner_email,
  },
  participants: row.participants.map(({ user_uuid: genyid, organization_uuid: organization, ...participant }) => {
    const isKnown = genyid === actor.uuid || (organization !== null && organization === actor.organization);
    const { uuid, email, can_control, created_at } = participant;
    const names = isKnown ? participant : { first_name: "", last_name: "" };
    return {
      uuid,
      genyid,
      email,
      first_name: names.first_name,
      last_name: names.last_name,
      can_control,
      created_at: new Date(created_at).toISOString(),
    };
  }),
  instance: { uuid: row.instance_uuid, name: row.instance_name },
});
