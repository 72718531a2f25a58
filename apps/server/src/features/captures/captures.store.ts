import type { CaptureKind, Ordering } from "@terrarium/contract";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { CaptureTable } from "./captures.tables.ts";

export type CaptureRow = Selectable<CaptureTable>;

/** Whose captures: those that somebody made while in an organization. */
export interface Owner {
  user: string;
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
    .where("user_uuid", "=", user)
    .where("organization_uuid", "=", organization)
    .where("is_whole", "=", true);

/** A page of somebody's captures. Those that are equal in what they are ordered by keep one order. */
export async function listCaptures(
  db: Database,
  owner: Owner,
  { instance, kind, search, ordering }: CaptureFilter,
  { limit, offset }: Window,
): Promise<Rows<CaptureRow>> {
  const query = ownRows(db, owner)
    .$if(instance !== undefined, (rows) => rows.where("instance_uuid", "=", instance ?? ""))
    .$if(kind !== undefined, (rows) => rows.where("kind", "in", kind ?? []))
    .$if(!!search, (rows) => rows.where("instance_name", "ilike", `%${likeText(search ?? "")}%`));
  const way = ordering.at(-1)?.descending ? "desc" : "asc";
  const results = await ordering
    .reduce((rows, { field, descending }) => rows.orderBy(field, descending ? "desc" : "asc"), query.selectAll())
    .orderBy("uuid", way)
    .limit(limit)
    .offset(offset)
    .execute();
  const { count } = await query.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  return { count, results };
}

export const findCapture = (db: Database, owner: Owner, uuid: string): Promise<CaptureRow | undefined> =>
  ownRows(db, owner).selectAll().where("uuid", "=", uuid).executeTakeFirst();

/** Bytes of the captures of an organization, those that are reserved among them. */
export async function sumBytes(db: Database, organization: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM captures WHERE organization_uuid = ${organization}`.execute(
    db,
  );
  return rows[0]?.bytes ?? 0;
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

/** Returns it as it is then; undefined if it is gone, as with its owner's account. */
export const updateCapture = (
  db: Database,
  uuid: string,
  change: Updateable<CaptureTable>,
): Promise<CaptureRow | undefined> =>
  db.updateTable("captures").set(change).where("uuid", "=", uuid).returningAll().executeTakeFirst();

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
