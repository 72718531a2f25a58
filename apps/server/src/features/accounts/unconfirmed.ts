import type { Database } from "../../database/schema.ts";
import { findLastSignUp } from "./accounts.store.ts";

/** The hash of the password with which somebody last signed up with an address that nobody has confirmed. */
export const findUnconfirmedHash = async (db: Database, email: string): Promise<string | undefined> =>
  (await findLastSignUp(db, email))?.password_hash;
