import type { CaptureKind, Ordering } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { CaptureTable } from "./captures.tables.ts";

/** A capture with what may be shown of whoever made it. */
export type CaptureRow = Selectable<CaptureTable> & Record<"email" | "first_name" | "last_name", string>;

/** Whose captures: those that somebody made while in an organization, or all that were. */
export interface Owner {
  user?: string | undefined;
  organization: string;
}

export interface CaptureFilter {
  instance?: string | undefined;
  kind?: readonly CaptureKind[] | undefined;
  search?: string | undefined;
  ordering: readonly Ordering<"created_at" | "bytes" | "instance_name">[];
}

const ownRows = (db: Database, { user, organization }: Owner) =>
  db
    .selectFrom("captures")
    .innerJoin("users", "users.uuid", "captures.user_uuid")
    .$if(user !== undefined, (rows) => rows.where("captures.user_uuid", "=", user ?? ""))
    .where("captures.organization_uuid", "=", organization)
    .where("is_whole", "=", true);

const shown = ["users.email", "users.first_name", "users.last_name"] as const;

/** A page of somebody's captures. Those that are equal in the ordering column always come in the same order. */
export async function listCaptures(
  db: Database,
  owner: Owner,
  { instance, kind, search, ordering }: CaptureFilter,
  { limit, offset }: Window,
): Promise<Rows<CaptureRow>> {
  const query = ownRows(db, owner)
    .$if(instance !== undefined, (rows) => rows.where("captures.instance_uuid", "=", instance ?? ""))
    .$if(kind !== undefined, (rows) => rows.where("kind", "in", kind ?? []))
    .$if(!!search, (rows) => rows.where("instance_name", "ilike", `%${likeText(search ?? "")}%`));
  const way = ordering.at(-1)?.descending ? "desc" : "asc";
  const results = await ordering
    .reduce(
      (rows, { field, descending }) => rows.orderBy(`captures.${field}`, descending ? "desc" : "asc"),
      query.selectAll("captures").select(shown),
    )
    .orderBy("captures.uuid", way)
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

export const findCapture = (db: Database, owner: Owner, uuid: string): Promise<CaptureRow | undefined> =>
  ownRows(db, owner).selectAll("captures").select(shown).where("captures.uuid", "=", uuid).executeTakeFirst();

/** Bytes of the captures of an organization and of one of its people, those that are reserved among them. */
export async function sumBytes(
  db: Database,
  { user, organization }: Required<Owner>,
): Promise<{ all: number; own: number; has_colleagues: boolean }> {
  const { rows } = await sql<{ all: number; own: number; has_colleagues: boolean }>`
    SELECT coalesce(sum(bytes), 0)::bigint AS all,
      coalesce(sum(bytes) FILTER (WHERE user_uuid = ${user}), 0)::bigint AS own,
      EXISTS (SELECT FROM users WHERE organization_uuid = ${organization} AND uuid <> ${user} AND is_enabled) AS has_colleagues
    FROM captures WHERE organization_uuid = ${organization}`.execute(db);
  return rows[0] ?? { all: 0, own: 0, has_colleagues: false };
}

/** Whoever reserves bytes for an organization takes turns from here to the end of the transaction. */
export async function lockOrganization(trx: Database, uuid: string): Promise<void> {
  await trx.selectFrom("organizations").select("uuid").where("uuid", "=", uuid).forNoKeyUpdate().execute();
}

/** The device that somebody captures, and with what they came. */
export const findDevice = (db: Database, uuid: string, credential: string) =>
  db
    .selectFrom("instances")
    .select((eb) => [
      "name",
      "organization_uuid",
      eb
        .exists(eb.selectFrom("sessions").select("sessions.uuid").where("sessions.uuid", "=", credential))
        .as("is_session"),
    ])
    .where("uuid", "=", uuid)
    .executeTakeFirst();

export async function insertCapture(db: Database, row: Insertable<CaptureTable>): Promise<void> {
  await db.insertInto("captures").values(row).execute();
}

/** Changes nothing of one that is gone, as with its owner's account. */
export async function updateCapture(db: Database, uuid: string, change: Updateable<CaptureTable>): Promise<void> {
  await db.updateTable("captures").set(change).where("uuid", "=", uuid).execute();
}

/** Returns whether it was there. */
export async function deleteCapture(db: Database, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("captures").where("uuid", "=", uuid).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Deletes what was begun before a time and never ended: its process was killed. */
export async function deleteUnfinished(db: Database, before: Date): Promise<void> {
  await db.deleteFrom("captures").where("is_whole", "=", false).where("created_at", "<", before).execute();
}

/** Those of these that have a row. */
export async function findKnown(db: Database, uuids: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom("captures").select("uuid").where("uuid", "in", uuids).execute();
  return new Set(rows.map(({ uuid }) => uuid));
}
