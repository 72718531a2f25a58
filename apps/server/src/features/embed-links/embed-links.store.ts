import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { EmbedLinkTable } from "./embed-links.tables.ts";

export type EmbedLinkRow = Selectable<EmbedLinkTable>;

/** Links to a device are made one after the other, so that they can be counted. */
export async function lockDevice(db: Database, uuid: string): Promise<void> {
  await db.selectFrom("instances").select("uuid").where("uuid", "=", uuid).forUpdate().execute();
}

export async function insertLink(db: Database, row: Insertable<EmbedLinkTable>): Promise<void> {
  await db.insertInto("embed_links").values(row).execute();
}

/** Forgets the links to a device that have ended: all but these. */
export async function deleteLinksBut(db: Database, instance: string, live: string[]): Promise<void> {
  const ended = db.deleteFrom("embed_links").where("instance_uuid", "=", instance);
  await (live.length > 0 ? ended.where("uuid", "not in", live) : ended).execute();
}

/** Those of a device that have not expired, the newest first. */
export const findLinks = (db: Database, instance: string, now: Date) =>
  db
    .selectFrom("embed_links")
    .select(["uuid", "can_control", "credential_uuid", "created_at", "expires_at"])
    .where("instance_uuid", "=", instance)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("uuid")
    .execute();

/** Whether there was one. */
export async function deleteLink(db: Database, instance: string, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("embed_links")
    .where("instance_uuid", "=", instance)
    .where("uuid", "=", uuid)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The link with this key, or this identifier, that has not expired. */
export const findLink = (db: Database, by: { key_hash: Buffer } | { uuid: string }, now: Date) =>
  db
    .selectFrom("embed_links")
    .selectAll()
    .where((eb) => ("uuid" in by ? eb("uuid", "=", by.uuid) : eb("key_hash", "=", by.key_hash)))
    .where("expires_at", ">", now)
    .executeTakeFirst();

/** Where the pages of others may show the devices of an organization. */
export async function findEmbedOrigins(db: Database, organization: string): Promise<string[]> {
  const query = db.selectFrom("organizations").select("embed_origins").where("uuid", "=", organization);
  return (await query.executeTakeFirst())?.embed_origins ?? [];
}

/** Whether any organization allows pages of this origin to show its devices. */
export async function isEmbedOrigin(db: Database, origin: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM organizations WHERE embed_origins @> ARRAY[${origin}] LIMIT 1`.execute(db);
  return rows.length > 0;
}
