import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** The people of an organization who have these addresses, by address. */
export async function findByAddress(
  db: Database,
  organization: string,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ uuid: string; email: string }>`
    SELECT uuid, email FROM users WHERE organization_uuid = ${organization} AND email = ANY(${emails}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ uuid, email }) => [email, uuid]));
}
