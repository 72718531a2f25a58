import { type LeftOn, limits, type Offer } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { minutePrice } from "../billing/minute-price.ts";
import { listLeftOn } from "./left-on.store.ts";
import { stopOf } from "./present-instance.ts";

const MINUTE_MS = 60_000;
/** As many as somebody would look through. */
const SHOWN = 25;

/** The devices of an organization that run for long, or that nobody has used for long. */
export async function leftOn(
  db: Database,
  organization: string,
  offer: Offer,
): Promise<{ count: number; results: LeftOn[] }> {
  const long = { ranMs: limits.longRunHours * 60 * MINUTE_MS, idleMs: limits.unusedMinutes * MINUTE_MS };
  const { price, currency } = await minutePrice(db, organization, offer);
  const rows = await listLeftOn(db, organization, long, SHOWN);
  return {
    count: rows[0]?.count ?? 0,
    results: rows.map((row) => {
      const measured = row.measured_at.getTime();
      const minutes = Math.ceil(row.ran_ms / MINUTE_MS);
      return {
        uuid: row.uuid,
        name: row.name,
        owner: row.owner,
        recipe_name: row.recipe_name,
        created_at: row.created_at.toISOString(),
        online_at: row.online_at.toISOString(),
        idle_since: new Date(measured - row.idle_ms).toISOString(),
        stops_at: stopOf({ ...row, state: "ONLINE" }).stops_at,
        minutes,
        amount: row.is_metered ? minutes * price : null,
        currency,
      };
    }),
  };
}
