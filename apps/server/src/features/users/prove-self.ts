import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import type { DatabaseRateLimiter } from "../../platform/rate-limits/database-rate-limiter.ts";
import { type Actor, sessionOf } from "../sessions/actor.ts";
import { hasSignedInWithin } from "../sessions/own-sessions.ts";
import { provePassword } from "./prove-password.ts";
import type { UserRow } from "./user-row.ts";
import { findUser, lockUser } from "./users.store.ts";

/** A sign-in that is not older proves who somebody is who has no password. */
const FRESH_MS = 10 * 60_000;

/**
 * Checks that somebody who is signed in is who they were then, before how they sign in changes: by their password, or, if they have none,
 * by having signed in just now. Returns the hash of the password, if there is one: what depends on the proof must find it unchanged.
 * @throws AppError WRONG_PASSWORD, SIGN_IN_AGAIN, TOO_MANY_REQUESTS; FORBIDDEN with an API token
 */
export async function proveSelf(
  deps: { db: Database; clock: Clock; limiter: DatabaseRateLimiter },
  actor: Actor,
  password: string | undefined,
): Promise<string | null> {
  sessionOf(actor);
  const hash = (await findUser(deps.db, actor.uuid))?.password_hash ?? null;
  if (hash !== null) return provePassword(deps, actor.uuid, password ?? "");
  if (!(await hasSignedInWithin(deps, actor, FRESH_MS))) throw new AppError("SIGN_IN_AGAIN");
  return null;
}

/**
 * The account of somebody who has proved who they are. Nobody else changes it until the transaction ends.
 * @param proven what the proof has returned
 * @throws AppError WRONG_PASSWORD if the password was replaced since then
 */
export async function lockProven(trx: Database, uuid: string, proven: string | null): Promise<UserRow> {
  await lockUser(trx, uuid);
  const user = await findUser(trx, uuid);
  if (user?.password_hash !== proven) throw new AppError("WRONG_PASSWORD");
  return user;
}
