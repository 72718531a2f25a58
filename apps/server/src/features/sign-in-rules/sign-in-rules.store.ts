import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

export interface RulesRow {
  name: string;
  allowed_sign_ins: string[] | null;
  session_hours: number;
  allowed_origins: string[];
  /** The domain of its own provider. */
  own_provider: string | null;
}

/** The rules of an organization. With `lock`, whoever else locks it waits until the transaction ends. */
export async function findRules(
  db: Database,
  organization: string | null,
  { lock = false } = {},
): Promise<RulesRow | undefined> {
  const query = db
    .selectFrom("organizations")
    .leftJoin("organization_providers", "organization_providers.organization_uuid", "organizations.uuid")
    .select([
      "name",
      "allowed_sign_ins",
      "session_hours",
      "allowed_origins",
      "organization_providers.domain as own_provider",
    ])
    .where("organizations.uuid", "=", organization);
  return (lock ? query.forNoKeyUpdate("organizations") : query).executeTakeFirst();
}

/** Whether any organization allows pages of this origin to sign its members in. */
export async function isAllowedOrigin(db: Database, origin: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM organizations WHERE allowed_origins @> ARRAY[${origin}] LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The providers with which somebody can sign in, and whether they have a passkey for a host name. */
export async function findOwnWays(
  db: Database,
  user: string,
  host: string | undefined,
): Promise<{ providers: string[]; hasPasskey: boolean }> {
  const identities = await db.selectFrom("identities").select("provider").where("user_uuid", "=", user).execute();
  const passkeys = db.selectFrom("passkeys").select("uuid").where("user_uuid", "=", user);
  const passkey = host === undefined ? undefined : await passkeys.where("rp_id", "=", host).limit(1).executeTakeFirst();
  return { providers: identities.map(({ provider }) => provider), hasPasskey: passkey !== undefined };
}

/** Ends the sessions of the members that are longer than the organization allows; returns how many. */
export async function endLongSessions(db: Database, organization: string, now: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE sessions SET ended_at = ${now} FROM users JOIN organizations ON organizations.uuid = users.organization_uuid
    WHERE users.uuid = sessions.user_uuid AND organizations.uuid = ${organization} AND sessions.ended_at IS NULL
      AND sessions.created_at <= ${now}::timestamptz - make_interval(hours => session_hours)`.execute(db);
  return Number(numAffectedRows);
}
