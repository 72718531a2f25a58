import { AppError, type SignInSession } from "@terrarium/contract";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { type Actor, sessionOf } from "./actor.ts";
import { deviceOf } from "./device-of.ts";
import { endSessionsOf } from "./end-all.ts";
import { SESSION_MS } from "./session-tokens.ts";
import { endSessionOf, hasBegunAfter, listLiveSessions, type LiveSessionRow } from "./own-sessions.store.ts";
import type { FeatureDeps } from "../deps.ts";

export type OwnSessionDeps = FeatureDeps;

/** Where the actor is signed in, the session used last first. One that was not used for the life of a token is over. */
export async function listOwnSessions({ db, clock }: OwnSessionDeps, actor: Actor): Promise<SignInSession[]> {
  const current = sessionOf(actor);
  const [now, usedAfter] = [new Date(clock.now()), new Date(clock.now() - SESSION_MS)];
  return (await listLiveSessions(db, actor.uuid, { now, usedAfter })).map((row) => presentSession(row, current));
}

/** Signs the actor out in one place. @throws AppError SESSION_NOT_FOUND, FORBIDDEN with an API token */
export async function endOwnSession(deps: OwnSessionDeps, actor: Actor, uuid: string, by: By): Promise<void> {
  const { db, clock, audit } = deps;
  sessionOf(actor);
  await transaction(db, async (trx) => {
    if (!(await endSessionOf(trx, actor.uuid, uuid, new Date(clock.now())))) throw new AppError("SESSION_NOT_FOUND");
    await audit.record(trx, by, { action: "session.end", subject: { kind: "session", uuid } });
  });
}

/** Signs the actor out everywhere but here. API tokens continue to work. @throws AppError FORBIDDEN with an API token */
export async function endOtherSessions(deps: OwnSessionDeps, actor: Actor, by: By): Promise<void> {
  const { db, clock, audit } = deps;
  const current = sessionOf(actor);
  await transaction(db, async (trx) => {
    const sessions = await endSessionsOf(trx, actor.uuid, new Date(clock.now()), { except: current });
    const subject = { kind: "user", uuid: actor.uuid } as const;
    if (sessions > 0)
      await audit.record(trx, by, { action: "user.sign_out", subject, details: { sessions, tokens: 0 } });
  });
}

/** Whether the actor has signed in within the last milliseconds, with the session of this call. */
export const hasSignedInWithin = (
  { db, clock }: Pick<OwnSessionDeps, "db" | "clock">,
  actor: Actor,
  ms: number,
): Promise<boolean> => hasBegunAfter(db, sessionOf(actor), new Date(clock.now() - ms));

const presentSession = (row: LiveSessionRow, current: string): SignInSession => ({
  uuid: row.uuid,
  is_current: row.uuid === current,
  device: deviceOf(row.user_agent),
  address: row.address,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});
