import type { Clock } from "@terrarium/clock";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { type InstanceFields, moveInstance } from "./move-instance.ts";
import { nextStep, START_TIMEOUT_MS } from "./next-step.ts";

const AT_ONCE = 500;

/** Ends the devices whose time is up: unused too long, run too long, never come up. */
export async function endOverdueInstances(db: Database, clock: Clock): Promise<void> {
  const now = clock.now();
  for (const row of await overdue(db, new Date(now))) {
    const step = nextStep(row, now);
    if (step) await moveInstance(db, { uuid: row.uuid, event: step.event, reason: step.reason, now: new Date(now) });
  }
}

/** The rows `nextStep` may have something to say of. It has the last word; this only keeps the rest of the table out of the way. */
async function overdue(db: Database, now: Date): Promise<InstanceFields[]> {
  const { rows } = await sql<InstanceFields>`
    SELECT * FROM instances
    WHERE state = 'ONLINE' AND (
        timeout_global > 0 AND online_at + timeout_global * interval '1 minute' <= ${now}
        OR timeout_inactivity > 0 AND greatest(online_at, last_active_at) + timeout_inactivity * interval '1 minute' <= ${now})
      OR state IN ('CREATING', 'STARTING', 'BOOTING') AND created_at <= ${new Date(now.getTime() - START_TIMEOUT_MS)}
    LIMIT ${AT_ONCE}`.execute(db);
  return rows;
}
