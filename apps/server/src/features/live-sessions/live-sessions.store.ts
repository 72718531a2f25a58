import type { Ordering } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { LiveSessionParticipantTable } from "./live-sessions.tables.ts";

const rows = (db: Database) =>
  db
    .selectFrom("live_sessions as session")
    .innerJoin("instances as instance", "instance.uuid", "session.instance_uuid")
    .innerJoin("users as owner", "owner.uuid", "instance.owner_uuid")
    .select([
      "session.uuid",
      "session.created_at",
      "instance.uuid as instance_uuid",
      "instance.name as instance_name",
      "instance.organization_uuid as instance_organization_uuid",
      "owner.uuid as owner_uuid",
      "owner.email as owner_email",
      "owner.first_name as owner_first_name",
      "owner.last_name as owner_last_name",
    ])
    .select((select) =>
      jsonArrayFrom(
        select
          .selectFrom("live_session_participants as participant")
          .innerJoin("users", "users.uuid", "participant.user_uuid")
          .select(["participant.uuid", "participant.user_uuid", "participant.can_control"])
          .select(["users.email", "users.first_name", "users.last_name", "users.organization_uuid"])
          .select(sql<string>`participant.created_at`.as("created_at"))
          .whereRef("participant.live_session_uuid", "=", "session.uuid")
          .orderBy("participant.created_at")
          .orderBy("users.email"),
      ).as("participants"),
    );

export type LiveSessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** A session by its own identifier, or by its device's. */
export const findSession = (db: Database, uuid: string, by: "uuid" | "instance_uuid" = "uuid") =>
  rows(db).where(`session.${by}`, "=", uuid).executeTakeFirst();

/** The session that a participant takes part in. */
export const findSessionOf = async (db: Database, participant: string): Promise<LiveSessionRow | undefined> =>
  rows(db)
    .where("session.uuid", "in", (of) =>
      of.selectFrom("live_session_participants").select("live_session_uuid").where("uuid", "=", participant),
    )
    .executeTakeFirst();

/** Nobody else invites people to it until the transaction ends; false if it is over. */
export async function lockSession(trx: Database, uuid: string): Promise<boolean> {
  const row = await trx
    .selectFrom("live_sessions")
    .select("uuid")
    .where("uuid", "=", uuid)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** The state of a device, which stays as it is until the transaction ends. */
export const lockState = async (trx: Database, instance: string) =>
  (await trx.selectFrom("instances").select("state").where("uuid", "=", instance).forShare().executeTakeFirst())?.state;

/** A session of the device, unless it has one. */
export async function insertSession(trx: Database, row: { uuid: string; instance_uuid: string; created_at: Date }) {
  await trx
    .insertInto("live_sessions")
    .values(row)
    .onConflict((conflict) => conflict.column("instance_uuid").doNothing())
    .execute();
}

export async function deleteSession(trx: Database, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom("live_sessions").where("uuid", "=", uuid).executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function insertParticipants(trx: Database, added: Insertable<LiveSessionParticipantTable>[]) {
  if (added.length > 0) await trx.insertInto("live_session_participants").values(added).execute();
}

export async function updateControl(trx: Database, participant: string, can_control: boolean): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable("live_session_participants")
    .set({ can_control })
    .where("uuid", "=", participant)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteParticipant(trx: Database, participant: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom("live_session_participants")
    .where("uuid", "=", participant)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Who takes part in the sessions of these devices, and what they may do. */
export const findParticipants = (db: Database, instances: string[]) =>
  db
    .selectFrom("live_session_participants")
    .select(["instance_uuid", "user_uuid", "can_control"])
    .where("instance_uuid", "in", instances)
    .execute();

export interface LiveSessionFilter {
  /** Whose devices these are, or who takes part. */
  user: string;
  instance?: string | undefined;
  search?: string | undefined;
  ordering: Ordering<keyof typeof orderColumns>[];
}

const orderColumns = {
  created_at: sql`session.created_at`,
  name: sql`instance.name`,
  owner: sql`owner.email`,
  participants: sql`(SELECT count(*) FROM live_session_participants WHERE live_session_uuid = session.uuid)`,
} as const;

/** Lists the sessions that somebody owns or takes part in. */
export async function listSessions(
  db: Database,
  { user, instance, search, ordering }: LiveSessionFilter,
  { limit, offset }: Window,
): Promise<Rows<LiveSessionRow>> {
  let query = rows(db).where((where) =>
    where.or([
      where("instance.owner_uuid", "=", user),
      where("session.uuid", "in", (of) =>
        of.selectFrom("live_session_participants").select("live_session_uuid").where("user_uuid", "=", user),
      ),
    ]),
  );
  if (instance !== undefined) query = query.where("instance.uuid", "=", instance);
  if (search) {
    const like = `%${likeText(search)}%`;
    query = query.where(
      sql<boolean>`(instance.name ILIKE ${like} OR owner.email ILIKE ${like} OR owner.first_name || ' ' || owner.last_name ILIKE ${like})`,
    );
  }
  const { count } = await query
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  const results = await ordering
    .reduce((rows, { field, descending }) => rows.orderBy(orderColumns[field], descending ? "desc" : "asc"), query)
    .orderBy("session.uuid")
    .limit(limit)
    .offset(offset)
    .execute();
  return { count, results };
}
