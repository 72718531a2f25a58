import type { Database } from "../../database/schema.ts";
import { isTooLong } from "./sessions.store.ts";

/** A user's sessions that have not ended and were used since a time, the most recently used first. */
export const listLiveSessions = (db: Database, user: string, { now, usedAfter }: { now: Date; usedAfter: Date }) =>
  db
    .selectFrom("sessions")
    .select(["uuid", "created_at", "last_used_at", "address", "user_agent"])
    .where("user_uuid", "=", user)
    .where("ended_at", "is", null)
    .where((row) => row.not(isTooLong(now)))
    .where((row) => row(row.fn.coalesce("last_used_at", "created_at"), ">", usedAfter))
    .orderBy((row) => row.fn.coalesce("last_used_at", "created_at"), "desc")
    .orderBy("uuid")
    .execute();
export type LiveSessionRow = Awaited<ReturnType<typeof listLiveSessions>>[number];

/** Ends a session of this user; returns false if they have no such session. */
export async function endSessionOf(db: Database, user: string, uuid: string, ended_at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ ended_at })
    .where("uuid", "=", uuid)
    .where("user_uuid", "=", user)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Whether a session has not ended, and began after a time. */
export const hasBegunAfter = async (db: Database, uuid: string, time: Date): Promise<boolean> =>
  (await db
    .selectFrom("sessions")
    .select("uuid")
    .where("uuid", "=", uuid)
    .where("ended_at", "is", null)
    .where("created_at", ">", time)
    .executeTakeFirst()) !== undefined;
