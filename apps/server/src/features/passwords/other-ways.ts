import type { Database } from "../../database/schema.ts";
import { namesOfPasskeys } from "../passkeys/passkeys.ts";
import { namesOfIdentities } from "../sso/identities.ts";

/** With what somebody can sign in besides their password, as people are told of it. */
export const otherWaysIn = async (db: Database, user: string, pagesAt: string): Promise<string[]> => [
  ...(await namesOfIdentities(db, user)),
  ...(await namesOfPasskeys(db, user, pagesAt)),
];
