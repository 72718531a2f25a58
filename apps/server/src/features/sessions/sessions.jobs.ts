import type { Clock } from "@terrarium/clock";
import type { Database } from "../../database/schema.ts";
import { tellCredentialEnded } from "./credentials.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** Sessions that ended stay this long, for whoever looks into what happened. */
const SESSIONS_KEPT_MS = 30 * DAY_MS;

/** Nobody stays signed in for longer, however often the token is renewed. */
const SESSION_LIFE_MS = 30 * DAY_MS;

/** Ends sessions that are as old as one may get, and what was opened with them. */
export async function endOldSessions(db: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  const ended = await db
    .updateTable("sessions")
    .set({ ended_at: new Date(now) })
    .where("ended_at", "is", null)
    .where("created_at", "<=", new Date(now - SESSION_LIFE_MS))
    .returning("uuid")
    .execute();
  for (const { uuid } of ended) await tellCredentialEnded(db, uuid);
}

/** Removes what nobody can use any more: old sessions that ended, keys of requests that nobody repeats. */
export async function forgetOld(db: Database, clock: Clock): Promise<void> {
  const before = (ms: number) => new Date(clock.now() - ms);
  await db.deleteFrom("sessions").where("ended_at", "<", before(SESSIONS_KEPT_MS)).execute();
  await db.deleteFrom("idempotency_keys").where("created_at", "<", before(DAY_MS)).execute();
}
