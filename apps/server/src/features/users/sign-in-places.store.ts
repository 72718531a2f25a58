import { limits } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

const HOUR_MS = 60 * 60 * 1000;

/** The most that are remembered of one person; the one seen least recently is forgotten first. */
const MAX_PLACES = 50;

/**
 * Remembers where somebody signs in, by its mark. Returns whether they should be notified: they have signed in elsewhere before, never
 * there, and were not notified too often within the hour, as whoever has their password could flood their mailbox.
 */
export async function isNewPlace(trx: Database, user: string, mark: Buffer, now: Date): Promise<boolean> {
  const { rows } = await sql<{ is_new: boolean; known: number; recent: number }>`
    INSERT INTO sign_in_places AS place (user_uuid, mark, created_at, seen_at) VALUES (${user}, ${mark}, ${now}, ${now})
    ON CONFLICT (user_uuid, mark) DO UPDATE SET seen_at = EXCLUDED.seen_at
    RETURNING xmax = 0 AS is_new,
      (SELECT count(*)::int FROM sign_in_places WHERE user_uuid = ${user}) AS known,
      (SELECT count(*)::int FROM sign_in_places WHERE user_uuid = ${user}
        AND created_at > ${new Date(now.getTime() - HOUR_MS)}) AS recent`.execute(trx);
  // The counts are of before the row was added.
  const { is_new = false, known = 0, recent = 0 } = rows[0] ?? {};
  if (is_new && known >= MAX_PLACES) await forgetOldest(trx, user);
  return is_new && known > 0 && recent < limits.placeMailsPerHour;
}

async function forgetOldest(trx: Database, user: string): Promise<void> {
  await sql`
    DELETE FROM sign_in_places WHERE user_uuid = ${user} AND mark IN (
      SELECT mark FROM sign_in_places WHERE user_uuid = ${user} ORDER BY seen_at DESC OFFSET ${MAX_PLACES})`.execute(
    trx,
  );
}
