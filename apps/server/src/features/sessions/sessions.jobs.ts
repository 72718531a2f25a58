import type { Clock } from "@terrarium/clock";
import type { Database } from "../../platform/db/database.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Sessions that ended stay this long, for whoever looks into what happened. */
const SESSIONS_KEPT_MS = 30 * DAY_MS;

/** Removes what nobody can use any more: old sessions that ended, keys of requests that nobody repeats. */
export async function forgetOld(db: Database, clock: Clock): Promise<void> {
  const before = (ms: number) => new Date(clock.now() - ms);
  await db.deleteFrom("sessions").where("ended_at", "<", before(SESSIONS_KEPT_MS)).execute();
  await db.deleteFrom("idempotency_keys").where("created_at", "<", before(DAY_MS)).execute();
}
