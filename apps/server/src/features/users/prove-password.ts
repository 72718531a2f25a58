import { AppError } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import {
  type DatabaseRateLimiter,
  type Limit,
  MAX_WINDOW_MS,
} from "../../platform/rate-limits/database-rate-limiter.ts";
import { passwordMatches } from "./passwords.ts";
import { findUser } from "./users.store.ts";

/** Whoever has found a browser that is signed in does not find out the password there. */
export const passwordProofs: Limit = { name: "passwords of somebody signed in", max: 20, windowMs: MAX_WINDOW_MS };

/**
 * Checks the password of somebody who is signed in. Returns its hash: what depends on the proof must find it unchanged.
 * @throws AppError WRONG_PASSWORD, NO_PASSWORD, TOO_MANY_REQUESTS
 */
export async function provePassword(
  { db, limiter }: { db: Database; limiter: DatabaseRateLimiter },
  uuid: string,
  password: string,
): Promise<string> {
  await limiter.take(passwordProofs, uuid);
  const hash = (await findUser(db, uuid))?.password_hash;
  if (!hash) throw new AppError("NO_PASSWORD");
  // Strangers who try to sign in must not be able to delay it.
  if (!(await passwordMatches(password, hash, { lane: uuid, isKnown: true }))) throw new AppError("WRONG_PASSWORD");
  return hash;
}
