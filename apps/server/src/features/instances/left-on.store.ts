import type { StopReason } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";

/** A device that was left on. Its times are as its gateway has measured them. */
export interface LeftOnRow {
  uuid: string;
  name: string;
  created_at: Date;
  online_at: Date;
  measured_at: Date;
  ran_ms: number;
  idle_ms: number;
  timeout_inactivity: number;
  timeout_global: number;
  kept_until_ms: number;
  budget_stops_at: Date | null;
  cover_stops_at: Date | null;
  cover_stops_because: StopReason | null;
  /** Whether its minutes count. */
  is_metered: boolean | null;
  recipe_name: string | null;
  owner: { uuid: string; email: string; first_name: string; last_name: string };
  /** Of all of them. */
  count: number;
}

/** The devices of an organization that have been online for long, or unused, those first that nobody has used for longest. */
export async function listLeftOn(
  db: Database,
  organization: string,
  { ranMs, idleMs }: { ranMs: number; idleMs: number },
  limit: number,
): Promise<LeftOnRow[]> {
  const { rows } = await sql<LeftOnRow>`
    SELECT instances.uuid, instances.name, instances.created_at, online_at, measured_at, ran_ms, idle_ms, timeout_inactivity,
      timeout_global, kept_until_ms, budget_stops_at, cover_stops_at, cover_stops_because,
      (SELECT is_metered FROM runs WHERE instance_uuid = instances.uuid AND runs.ended_at = 'infinity') AS is_metered, recipes.name AS recipe_name, count(*) OVER () AS count,
      json_build_object('uuid', users.uuid, 'email', email, 'first_name', first_name, 'last_name', last_name) AS owner
    FROM instances JOIN users ON users.uuid = instances.owner_uuid LEFT JOIN recipes ON recipes.uuid = recipe_uuid
    WHERE instances.organization_uuid = ${organization} AND state = 'ONLINE' AND online_at IS NOT NULL
      AND measured_at IS NOT NULL AND (ran_ms >= ${ranMs} OR idle_ms >= ${idleMs})
    ORDER BY idle_ms DESC, ran_ms DESC, instances.uuid LIMIT ${limit}`.execute(db);
  return rows;
}
