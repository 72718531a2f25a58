import type { Clock } from "@terrarium/clock";
import { AppError, type Session, type User } from "@terrarium/contract";
import { Attempts } from "../../platform/attempts.ts";
import type { Database } from "../../database/schema.ts";
import type { Actor } from "../sessions/actor.ts";
import type { UserRow } from "./user-row.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { passwordMatches } from "./passwords.ts";
import { findUser, findUserByEmail, setTermsAccepted } from "./users.store.ts";

export interface UserDeps {
  db: Database;
  clock: Clock;
  sessions: Sessions;
  /** Failed sign-ins, by address and by account. */
  attempts: { byAddress: Attempts; byAccount: Attempts };
}

const LOGIN_WINDOW_MS = 60_000;

export const signInAttempts = (clock: Clock): UserDeps["attempts"] => ({
  byAddress: new Attempts({ max: 20, windowMs: LOGIN_WINDOW_MS, clock }),
  byAccount: new Attempts({ max: 10, windowMs: LOGIN_WINDOW_MS, clock }),
});

/** Signs in by e-mail and password. Whether an account exists can be told neither from the answer nor from its time. */
export async function signIn(
  deps: UserDeps,
  { email, password, ip }: { email: string; password: string; ip: string },
): Promise<Session> {
  deps.attempts.byAccount.take(email);
  deps.attempts.byAddress.take(ip);
  const user = await findUserByEmail(deps.db, email);
  if (!(await passwordMatches(password, user?.password_hash)) || !user) throw new AppError("BAD_USERNAME_PASSWORD");
  if (!user.is_enabled || !user.is_validated) throw new AppError("USER_NOT_ENABLED");
  deps.attempts.byAccount.forget(email);
  // Not wiped: who has an account of their own would guess at others' for ever.
  deps.attempts.byAddress.refund(ip);
  return { token: await deps.sessions.open(user.uuid), user: presentUser(user) };
}

/** Oneself, or someone of the same organization; anyone else is unknown. */
export async function getUser({ db }: Pick<UserDeps, "db">, actor: Actor, uuid: string): Promise<User> {
  const user = await findUser(db, uuid);
  const known =
    user &&
    (user.uuid === actor.uuid || (actor.organization !== null && user.organization_uuid === actor.organization));
  if (!known) throw new AppError("USER_NOT_FOUND");
  return presentUser(user);
}

export async function acceptTerms({ db, clock }: UserDeps, actor: Actor): Promise<User> {
  await setTermsAccepted(db, actor.uuid, new Date(clock.now()));
  return getUser({ db }, actor, actor.uuid);
}

export const presentUser = (user: UserRow): User => ({
  uuid: user.uuid,
  genyid: user.uuid,
  email: user.email,
  first_name: user.first_name,
  last_name: user.last_name,
  is_organization_manager: user.is_organization_manager,
  is_enabled: user.is_enabled,
  is_validated: user.is_validated,
  tnc_accepted: user.tnc_accepted_at !== null,
  organization:
    user.organization_uuid === null ? null : { uuid: user.organization_uuid, name: user.organization_name ?? "" },
  front_preferences: user.front_preferences,
  created_at: user.created_at.toISOString(),
});
