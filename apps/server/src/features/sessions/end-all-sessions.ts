import type { Database } from "../../database/schema.ts";
import { endSessionsBegunBy } from "./sessions.store.ts";

/** Ends every session, so that everybody has to sign in again. */
export async function endAllSessions(db: Database, now: Date): Promise<void> {
  await endSessionsBegunBy(db, now, now);
}
