import type { Database } from "../../database/schema.ts";
import { updateUser } from "./users.store.ts";

export { replacePasswordHash } from "./users.store.ts";

/** Replaces the hash of a user's password; known browsers are known no longer. */
export const setPasswordHash = (trx: Database, uuid: string, password_hash: string): Promise<void> =>
  updateUser(trx, uuid, { password_hash });
