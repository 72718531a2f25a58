import type { Scope } from "@terrarium/contract";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import type { Reads } from "../../platform/db/reads.ts";
import type { Begun } from "./sessions.tables.ts";

/**
 * Begins a session, unless the user has been disabled or has another password by now: then the result is undefined. Whoever disables
 * the user or replaces the password waits until this transaction has ended, so that the sessions they end include this one. So do other
 * sign-ins of the user.
 */
export async function insertSession(
  db: Database,
  user: { uuid: string; password_hash: string | null },
  session: Begun & { created_at: Date; address: string; user_agent: string },
): Promise<{ uuid: string; user_uuid: string } | undefined> {
  const uuid = randomUUID();
  const { created_at, address, user_agent, way, vouched_by } = session;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO sessions (uuid, user_uuid, created_at, last_used_at, address, user_agent, way, vouched_by)
    SELECT ${uuid}::uuid, users.uuid, ${created_at}::timestamptz, ${created_at}::timestamptz, ${address}, ${user_agent},
      ${way}, ${vouched_by}::uuid FROM users
    WHERE users.uuid = ${user.uuid} AND password_hash IS NOT DISTINCT FROM ${user.password_hash} AND is_enabled
    FOR NO KEY UPDATE`.execute(db);
  return numAffectedRows > 0n ? { uuid, user_uuid: user.uuid } : undefined;
}

/** Returns false if the session had ended already. */
export async function endSession(db: Database, uuid: string, ended_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ ended_at })
    .where("uuid", "=", uuid)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all sessions of a user but the latest; returns which. */
export const endSessionsBeyond = (
  db: Database,
  user: string,
  max: number,
  ended_at: Date,
): Promise<{ uuid: string }[]> =>
  db
    .updateTable("sessions")
    .set({ ended_at })
    .where("uuid", "in", (query) =>
      query
        .selectFrom("sessions")
        .select("uuid")
        .where("user_uuid", "=", user)
        .where("ended_at", "is", null)
        .orderBy("created_at", "desc")
        .orderBy("uuid")
        .offset(max),
    )
    .returning("uuid")
    .execute();

/** What a user's role follows from. */
export interface RoleRow {
  organization_uuid: string | null;
  is_organization_manager: boolean;
}

/** A valid credential, and the rights of its owner. */
export interface OwnerRow extends RoleRow {
  /** What it was found by: the identifier of the session, or the hash of the token in hexadecimal. */
  key: string;
  /** The identifier of the session or the API token. */
  credential: string;
  is_token: boolean;
  scope: Scope;
  last_access: Date | null;
  /** Of a session: the number of the newest token that was used, and since when. */
  generation: number;
  rotated_at: Date | null;
  user_uuid: string;
  has_accepted_terms: boolean;
  is_operator: boolean;
}

const OWNERS = `
  SELECT held.key, held.credential, held.is_token, held.scope, held.last_access, held.generation, held.rotated_at,
    users.uuid AS user_uuid, users.organization_uuid, users.is_organization_manager,
    users.tnc_accepted_at IS NOT NULL AS has_accepted_terms, users.is_operator
  FROM (
    SELECT uuid::text AS key, uuid AS credential, user_uuid, false AS is_token, 'admin' AS scope,
      last_used_at AS last_access, generation, rotated_at, created_at AS began
    FROM sessions WHERE uuid = ANY($1::uuid[]) AND ended_at IS NULL
    UNION ALL
    SELECT encode(token_hash, 'hex'), uuid, user_uuid, true, scope, last_access, 0, NULL, NULL FROM api_tokens
    WHERE token_hash = ANY($2::bytea[]) AND (expires_at IS NULL OR expires_at > $3)
  ) AS held JOIN users ON users.uuid = held.user_uuid AND users.is_enabled
  LEFT JOIN organizations ON organizations.uuid = users.organization_uuid
  WHERE began IS NULL OR session_hours IS NULL OR began > $3::timestamptz - make_interval(hours => session_hours)`;

/** A condition on `sessions`: whether one is longer than the organization of its owner allows. */
export const isTooLong = (now: Date) => sql<boolean>`EXISTS (
  SELECT FROM users JOIN organizations ON organizations.uuid = users.organization_uuid
  WHERE users.uuid = sessions.user_uuid
    AND sessions.created_at <= ${now}::timestamptz - make_interval(hours => organizations.session_hours))`;

/** The valid ones of these sessions and API tokens, if their owners are enabled. `asked` is called when the query is sent. */
export const findOwners = (
  reads: Pick<Reads, "query">,
  asked: () => { sessions: string[]; hashes: string[]; now: Date },
): Promise<OwnerRow[]> =>
  reads.query(OWNERS, () => {
    const { sessions, hashes, now } = asked();
    return [sessions, hashes.map((hash) => Buffer.from(hash, "hex")), now];
  });

/** Writes the last use of an API token, unless one was written since `before`. */
export async function noteTokenUse(db: Database, uuid: string, now: Date, before: Date): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set({ last_access: now })
    .where("uuid", "=", uuid)
    .where((where) => where.or([where("last_access", "is", null), where("last_access", "<", before)]))
    .execute();
}

/** Writes the last use of a session and where it came from, unless one was written since `before`. */
export async function noteSessionUse(
  db: Database,
  uuid: string,
  { address, now, before }: { address: string; now: Date; before: Date },
): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ last_used_at: now, address })
    .where("uuid", "=", uuid)
    .where((where) => where.or([where("last_used_at", "is", null), where("last_used_at", "<", before)]))
    .execute();
}

/** Notes that a newer token of a session is in use, which rotates the former ones out. */
export async function noteRotation(db: Database, uuid: string, generation: number, rotated_at: Date): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ generation, rotated_at })
    .where("uuid", "=", uuid)
    .where("generation", "<", generation)
    .execute();
}

/** Those of these sessions and API tokens that are good, of people who are enabled. */
export async function findLiveCredentials(
  db: Database,
  credentials: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const { rows } = await sql<{ uuid: string }>`
    SELECT held.uuid FROM (
      SELECT uuid, user_uuid FROM sessions
      WHERE uuid = ANY(${credentials}::uuid[]) AND ended_at IS NULL AND NOT ${isTooLong(now)}
      UNION ALL
      SELECT uuid, user_uuid FROM api_tokens
      WHERE uuid = ANY(${credentials}::uuid[]) AND (expires_at IS NULL OR expires_at > ${now})
      UNION ALL
      SELECT uuid, user_uuid FROM embed_links
      WHERE uuid = ANY(${credentials}::uuid[]) AND expires_at > ${now}
    ) AS held JOIN users ON users.uuid = held.user_uuid AND users.is_enabled`.execute(db);
  return new Set(rows.map(({ uuid }) => uuid));
}

/** The role of each of these users: their organization, and whether they manage it. */
export const findRoles = (db: Database, users: readonly string[]): Promise<(RoleRow & { uuid: string })[]> =>
  db
    .selectFrom("users")
    .select(["uuid", "organization_uuid", "is_organization_manager"])
    .where("uuid", "in", users)
    .execute();

/** Ends the sessions that began at or before a time. Returns which, and whose they were. */
export const endSessionsBegunBy = (db: Database, begun: Date, ended_at: Date) =>
  db
    .updateTable("sessions")
    .from("users")
    .set({ ended_at })
    .whereRef("users.uuid", "=", "sessions.user_uuid")
    .where("ended_at", "is", null)
    .where("sessions.created_at", "<=", begun)
    .returning(["sessions.uuid", "users.organization_uuid"])
    .execute();

/** Ends the sessions that are longer than the organizations of their owners allow. Returns which, and whose they were. */
export const endSessionsTooLong = (db: Database, now: Date) =>
  db
    .updateTable("sessions")
    .from("users")
    .set({ ended_at: now })
    .whereRef("users.uuid", "=", "sessions.user_uuid")
    .where("ended_at", "is", null)
    .where(isTooLong(now))
    .returning(["sessions.uuid", "users.organization_uuid"])
    .execute();

export async function deleteSessionsEndedBefore(db: Database, time: Date): Promise<void> {
  await db.deleteFrom("sessions").where("ended_at", "<", time).execute();
}
