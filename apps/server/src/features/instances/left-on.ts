import { type LeftOn, limits } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { listLeftOn } from "./left-on.store.ts";
import { timeLeft } from "./next-step.ts";

const MINUTE_MS = 60_000;
/** As many as somebody would look through. */
const SHOWN = 25;

/** The devices of an organization that run for long, or that nobody has used for long. */
export async function leftOn(db: Database, organization: string): Promise<{ count: number; results: LeftOn[] }> {
  const long = { ranMs: limits.longRunHours * 60 * MINUTE_MS, idleMs: limits.unusedMinutes * MINUTE_MS };
  const rows = await listLeftOn(db, organization, long, SHOWN);
  return {
    count: rows[0]?.count ?? 0,
    results: rows.map((row) => {
      const measured = row.measured_at.getTime();
      const left = timeLeft({ ...row, state: "ONLINE" });
      return {
        uuid: row.uuid,
        name: row.name,
        owner: row.owner,
        recipe_name: row.recipe_name,
        created_at: row.created_at.toISOString(),
        online_at: row.online_at.toISOString(),
        idle_since: new Date(measured - row.idle_ms).toISOString(),
        stops_at: left ? new Date(measured + left.ms).toISOString() : null,
      };
    }),
  };
}
