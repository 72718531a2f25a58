import type { Database } from "../../database/schema.ts";
import { notify } from "../../platform/db/listen.ts";

export { findLiveCredentials } from "./sessions.store.ts";

/** The channel on which every process hears that a session or an API token is over, and cuts what was opened with it. */
export const CREDENTIAL_ENDED = "credential_ended";

export const notifyCredentialEnded = (db: Database, credential: string): Promise<void> =>
  notify(db, CREDENTIAL_ENDED, credential);
