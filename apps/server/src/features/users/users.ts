import { type Answer, AppError, type Received, type User, type users } from "@terrarium/contract";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Audit } from "../audit/audit.ts";
import type { By, Requested } from "../audit/by.ts";
import type { Actor } from "../sessions/actor.ts";
import { mayFrom, type WayDeps } from "../sign-in-rules/ways.ts";
import type { UserRow } from "./user-row.ts";
import { type BeginDeps, beginSession } from "./begin-session.ts";
import { passwordMatches } from "./passwords.ts";
import { presentUser } from "./present-user.ts";
import { admitSignIn } from "./sign-in-limits.ts";
import { findUser, findUserByEmail, setTermsAccepted, updateUser as updateUserRow } from "./users.store.ts";

export interface UserDeps extends BeginDeps, WayDeps {
  db: Database;
  audit: Audit;
}

interface Credentials {
  email: string;
  password: string;
  browser_token?: string | undefined;
}

/** Signs in by e-mail and password. */
export const signIn = async (
  deps: UserDeps,
  credentials: Credentials,
  from: Requested,
): Promise<Answer<typeof users.login>> =>
  beginSession(deps, await recognize(deps, credentials, from), credentials.browser_token, { ...from, way: "password" });

/**
 * Who has this e-mail and password. Neither the answer nor its time shows whether an account exists, not even to somebody who has signed up
 * with the address.
 * @throws AppError BAD_USERNAME_PASSWORD, USER_NOT_ENABLED, TOO_MANY_REQUESTS
 */
export async function recognize(
  { db, limiter, browsers }: Pick<UserDeps, "db" | "limiter" | "browsers">,
  { email, password, browser_token }: Credentials,
  from: Requested,
): Promise<UserRow> {
  const found = await findUserByEmail(db, email);
  // To the pages of others, accounts that they are not for are unknown.
  const user = found && (await mayFrom(db, found, from.pageOrigin)) ? found : undefined;
  const browser = user && browsers.recognize(browser_token, user);
  const knownBrowser = browser && `${user.uuid} ${browser}`;
  const admitted = await admitSignIn(limiter, { email, ip: from.ip, knownBrowser });
  const matches = await passwordMatches(password, user?.password_hash, admitted.turn).catch(async (error: unknown) => {
    // The password was not looked at.
    await admitted.takeBack();
    throw error;
  });
  if (!user || !matches) throw new AppError("BAD_USERNAME_PASSWORD");
  if (!user.is_enabled || !user.is_validated) throw new AppError("USER_NOT_ENABLED");
  // Only this attempt, not all of them: who has an account of their own could guess at others' for ever.
  await admitted.takeBack();
  return user;
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

/** Oneself alone. @throws AppError FORBIDDEN for a colleague, USER_NOT_FOUND for anybody else */
export async function checkSelf(deps: Pick<UserDeps, "db">, actor: Actor, uuid: string): Promise<void> {
  await getUser(deps, actor, uuid);
  if (uuid !== actor.uuid) throw new AppError("FORBIDDEN");
}

/** What somebody wants to change of a user. Fields that are missing stay as they are. */
export type UserChange = Received<typeof users.update>["body"];

/**
 * Changes one's own names, and what the web app remembers.
 * @throws AppError FORBIDDEN if it would change one's own role or status: nobody locks themselves out
 */
export async function updateSelf(
  { db, audit }: Pick<UserDeps, "db" | "audit">,
  actor: Actor,
  { is_enabled, is_organization_manager, ...wanted }: UserChange,
  by: By,
): Promise<User> {
  const { uuid } = actor;
  const user = await getUser({ db }, actor, uuid);
  const asNow = { is_enabled: user.is_enabled, is_organization_manager: user.is_organization_manager };
  if (hasNews({ is_enabled, is_organization_manager }, asNow)) throw new AppError("FORBIDDEN");

  const { first_name = user.first_name, last_name = user.last_name, front_preferences } = wanted;
  const isRenamed = first_name !== user.first_name || last_name !== user.last_name;
  const hasPreferences = front_preferences && !isDeepStrictEqual(front_preferences, user.front_preferences);
  if (!isRenamed && !hasPreferences) return user;
  const subject = { kind: "user", uuid } as const;
  await transaction(db, async (trx) => {
    await updateUserRow(trx, uuid, { first_name, last_name, ...(hasPreferences && { front_preferences }) });
    if (isRenamed) await audit.record(trx, by, { action: "user.rename", subject });
    if (hasPreferences) await audit.record(trx, by, { action: "user.set_preferences", subject });
  });
  return getUser({ db }, actor, uuid);
}

/** Whether a field that is given differs from what it is now. */
const hasNews = <Fields extends object>(given: { [Name in keyof Fields]: Fields[Name] | undefined }, now: Fields) =>
  (Object.keys(now) as (keyof Fields)[]).some((name) => given[name] !== undefined && given[name] !== now[name]);

export async function acceptTerms({ db, clock, audit }: UserDeps, actor: Actor, by: By): Promise<User> {
  await transaction(db, async (trx) => {
    if (await setTermsAccepted(trx, actor.uuid, new Date(clock.now())))
      await audit.record(trx, by, { action: "user.accept_terms", subject: { kind: "user", uuid: actor.uuid } });
  });
  return getUser({ db }, actor, actor.uuid);
}
