import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

export interface PeopleCounts {
  members: number;
  pending: number;
  expiring: number;
  expired: number;
  /** The last mails of those who are invited. */
  mails: string[];
}

/** How many people an organization has and how many it has invited. What expires before `soon` is expiring. */
export async function countPeople(
  db: Database,
  organization: string,
  { now, soon }: { now: Date; soon: Date },
): Promise<PeopleCounts> {
  const { rows } = await sql<PeopleCounts>`
    SELECT (SELECT count(*) FROM users WHERE organization_uuid = ${organization}) AS members,
      count(*) FILTER (WHERE expires_at > ${now}) AS pending,
      count(*) FILTER (WHERE expires_at > ${now} AND expires_at < ${soon}) AS expiring,
      count(*) FILTER (WHERE expires_at <= ${now}) AS expired,
      coalesce(array_agg(mail_uuid::text) FILTER (WHERE mail_uuid IS NOT NULL), '{}') AS mails
    FROM invitations WHERE organization_uuid = ${organization}`.execute(db);
  return rows[0]!;
}
