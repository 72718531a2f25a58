import type { Database } from "../../database/schema.ts";
import { namesOfPasskeys } from "../passkeys/passkeys.ts";
import { namesOfIdentities } from "../sso/identities.ts";

/** What somebody can sign in with besides their password, in words for people. */
export const otherWaysIn = async (db: Database, user: string, pagesAt: string): Promise<string[]> => [
  ...(await namesOfIdentities(db, user)),
  ...(await namesOfPasskeys(db, user, pagesAt)),
];
