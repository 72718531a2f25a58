import { Password } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { deleteTokensOf, endSessionsOf, listCredentialsOf } from "../sessions/end-all.ts";
import { refuseCommonPassword } from "./common-passwords.ts";
import { hashPassword } from "./passwords.ts";
import { disable, type Done, enable, giveRole } from "./user-acts.ts";
import { lockUserByEmail, type LockedUser, updateUser } from "./users.store.ts";
import type { FeatureDeps } from "../deps.ts";

export interface ManageDeps extends FeatureDeps {
  by: By;
}

/** Performs `work` on a user and records it; returns whether there was something to do. Throws if nobody has the address. */
async function manage(
  { db, audit, by }: ManageDeps,
  email: string,
  work: (trx: Database, user: LockedUser) => Promise<Done>,
): Promise<boolean> {
  return transaction(db, async (trx) => {
    const user = await userNamed(trx, email);
    const done = await work(trx, user);
    const subject = { kind: "user", uuid: user.uuid } as const;
    if (done) await audit.record(trx, by, { ...done, subject, organization: user.organization_uuid });
    return done !== undefined;
  });
}

async function userNamed(db: Database, email: string): Promise<LockedUser> {
  const user = await lockUserByEmail(db, email.trim().toLowerCase());
  if (!user) throw new Error(`Nobody has the address ${email}.`);
  return user;
}

/** Lets a user sign in again; their API tokens work again too. */
export const enableUser = (deps: ManageDeps, email: string): Promise<boolean> =>
  manage(deps, email, (trx, user) => enable(trx, user, deps.by));

/** Ends the user's sessions, and refuses sign-ins and API tokens until the operator enables the user again. */
export const disableUser = (deps: ManageDeps, email: string): Promise<boolean> =>
  manage(deps, email, (trx, user) => disable(deps, trx, user, deps.by));

/**
 * Replaces the password and ends the user's sessions. API tokens continue to work, as programs use them.
 * @throws ZodError if the password does not follow the rules; AppError PASSWORD_TOO_COMMON
 */
export async function resetPassword(deps: ManageDeps, email: string, password: string): Promise<void> {
  const { password: valid } = z.object({ password: Password }).parse({ password });
  await refuseCommonPassword(valid);
  const password_hash = await hashPassword(valid);
  await manage(deps, email, async (trx, { uuid }) => {
    await updateUser(trx, uuid, { password_hash });
    return { action: "user.reset_password", details: { sessions: await endSessions(deps, trx, uuid) } };
  });
}

/** Makes a member a manager of their organization, or takes that role away. Throws if they belong to none. */
export const setRole = (deps: ManageDeps, email: string, role: "manager" | "user"): Promise<boolean> =>
  manage(deps, email, async (trx, user) => {
    if (user.organization_uuid === null)
      throw new Error(`${email} is a guest: only members of an organization have a role.`);
    return giveRole(trx, user, role);
  });

/** Ends sessions, API tokens or both; returns how many of each. */
export async function signOutUser(
  deps: ManageDeps,
  email: string,
  which: { sessions: boolean; tokens: boolean },
): Promise<{ sessions: number; tokens: number }> {
  const ended = { sessions: 0, tokens: 0 };
  await manage(deps, email, async (trx, { uuid }) => {
    ended.sessions = which.sessions ? await endSessions(deps, trx, uuid) : 0;
    ended.tokens = which.tokens ? await deleteTokensOf(trx, uuid) : 0;
    return ended.sessions + ended.tokens > 0 ? { action: "user.sign_out", details: { ...ended } } : undefined;
  });
  return ended;
}

/** With what a user is signed in. */
export const listCredentials = (db: Database, email: string) =>
  transaction(db, async (trx) => listCredentialsOf(trx, (await userNamed(trx, email)).uuid));

const endSessions = ({ clock }: ManageDeps, trx: Database, user: string) =>
  endSessionsOf(trx, user, new Date(clock.now()));
