import type { Insertable } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { ReplayLinkTable } from "./replay-links.tables.ts";

/** In the place of the one that the replay had. */
export async function putLink(db: Database, row: Insertable<ReplayLinkTable>): Promise<void> {
  const { key_hash, expires_at } = row;
  await db
    .insertInto("replay_links")
    .values(row)
    .onConflict((had) => had.column("capture_uuid").doUpdateSet({ key_hash, expires_at }))
    .execute();
}

/** Until when; undefined if it has no link. */
export async function findLink(db: Database, capture: string, now: Date): Promise<Date | undefined> {
  const row = await db
    .selectFrom("replay_links")
    .select("expires_at")
    .where("capture_uuid", "=", capture)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.expires_at;
}

/** Whether there was one. */
export async function deleteLink(db: Database, capture: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("replay_links")
    .where("capture_uuid", "=", capture)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The replay that a key leads to. Links of somebody who is disabled rest. */
export async function findShared(db: Database, key_hash: Buffer, now: Date): Promise<string | undefined> {
  const row = await db
    .selectFrom("replay_links")
    .innerJoin("captures", "captures.uuid", "replay_links.capture_uuid")
    .innerJoin("users", "users.uuid", "captures.user_uuid")
    .select("replay_links.capture_uuid")
    .where("key_hash", "=", key_hash)
    .where("expires_at", ">", now)
    .where("users.is_enabled", "=", true)
    .executeTakeFirst();
  return row?.capture_uuid;
}
