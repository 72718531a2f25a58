import { emailPattern } from "@terrarium/contract";
import type { Expression, SqlBool } from "kysely";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";

export interface RecordFilter {
  organization: string;
  /** The uuid of who did it. */
  actor?: string | undefined;
  /** Part of their address or names. */
  actorLike?: string | undefined;
  /** The uuid of who did it or whom it concerns. */
  person?: string | undefined;
  actions?: readonly string[] | undefined;
  subject?: string | undefined;
  outcome?: string | undefined;
  since?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}

export type FoundRecord = Awaited<ReturnType<typeof findRecords>>[number];

/**
 * Some records of an organization, the latest first: those before an identifier. People are named by their address only while they are in
 * the organization.
 */
export const findRecords = (
  db: Database,
  { organization, actor, actorLike, person, actions, subject, outcome, since, until }: RecordFilter,
  { before, limit }: { before: number | undefined; limit: number },
) =>
  db
    .selectFrom("audit_records as record")
    .leftJoin("users as actor", (join) =>
      join.onRef("actor.uuid", "=", "record.actor_uuid").on("actor.organization_uuid", "=", organization),
    )
    .leftJoin("users as subject", (join) =>
      join.onRef("subject.uuid", "=", "record.subject_uuid").on("subject.organization_uuid", "=", organization),
    )
    .selectAll("record")
    .select(["actor.email as actor_email", "subject.email as subject_email"])
    .where("record.organization_uuid", "=", organization)
    .where((where) => {
      const wanted: Expression<SqlBool>[] = [];
      if (before !== undefined) wanted.push(where("record.id", "<", before));
      if (actor !== undefined) wanted.push(where("record.actor_uuid", "=", actor));
      if (actorLike !== undefined)
        wanted.push(
          where.or(
            (["actor.email", "actor.first_name", "actor.last_name"] as const).map((field) =>
              where(field, "ilike", `%${likeText(actorLike)}%`),
            ),
          ),
        );
      if (person !== undefined)
        wanted.push(where.or([where("record.actor_uuid", "=", person), where("record.subject_uuid", "=", person)]));
      if (actions !== undefined) wanted.push(where("record.action", "in", actions));
      if (subject !== undefined) wanted.push(where("record.subject_uuid", "=", subject));
      if (outcome !== undefined) wanted.push(where("record.outcome", "=", outcome));
      if (since !== undefined) wanted.push(where("record.at", ">=", since));
      if (until !== undefined) wanted.push(where("record.at", "<", until));
      return where.and(wanted);
    })
    .orderBy("record.id", "desc")
    .limit(limit)
    .execute();

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text names one person, and is not part of what they are called. */
export const namesOne = (key: string): boolean => uuidPattern.test(key) || emailPattern.test(key);

/** The uuid of a member, by address or uuid; whoever has left is known by uuid alone. */
export async function findPerson(db: Database, organization: string, key: string): Promise<string | undefined> {
  if (uuidPattern.test(key)) return key;
  const found = db.selectFrom("users").select("uuid").where("email", "=", key.trim().toLowerCase());
  return (await found.where("organization_uuid", "=", organization).executeTakeFirst())?.uuid;
}
