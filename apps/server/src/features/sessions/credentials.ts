import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { notify } from "../../platform/db/listen.ts";

/** The channel on which every process hears that a session or an API token is over, and cuts what was opened with it. */
export const CREDENTIAL_ENDED = "credential_ended";

export const tellCredentialEnded = (db: Database, credential: string): Promise<void> =>
  notify(db, CREDENTIAL_ENDED, credential);

/** Those of these sessions and API tokens that are good, of people who are enabled. */
export async function findLiveCredentials(db: Database, credentials: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT held.uuid FROM (
      SELECT uuid, user_uuid FROM sessions WHERE uuid = ANY(${credentials}::uuid[]) AND ended_at IS NULL
      UNION ALL
      SELECT uuid, user_uuid FROM api_tokens WHERE uuid = ANY(${credentials}::uuid[])
    ) AS held JOIN users ON users.uuid = held.user_uuid AND users.is_enabled`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}
