import { type InstanceState, shownStates, supervisedStates } from "@terrarium/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { GatewayFound } from "../instances/gateways.ts";
import { runs } from "../instances/waits.store.ts";
import type { ServerTable } from "./operator.tables.ts";

/** Writes that a process is there, and how it is doing. Deletes those that have not reported for an hour. */
export async function upsertServer(
  db: Database,
  { load, ...server }: Pick<Selectable<ServerTable>, "id" | "host" | "pid" | "roles" | "version" | "load">,
): Promise<void> {
  const values = { load: JSON.stringify(load), seen_at: sql<Date>`clock_timestamp()` };
  await db
    .insertInto("servers")
    .values({ ...server, ...values })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
    .execute();
  await sql`DELETE FROM servers WHERE seen_at < clock_timestamp() - interval '1 hour'`.execute(db);
}

export async function deleteServer(db: Database, id: string): Promise<void> {
  await db.deleteFrom("servers").where("id", "=", id).execute();
}

/** Forgets all processes, as a restored backup has those of another time. */
export async function deleteServers(db: Database): Promise<void> {
  await db.deleteFrom("servers").execute();
}

/** The processes of a machine that have not reported for some seconds. */
export const findSilentServers = (
  db: Database,
  host: string,
  seconds: number,
): Promise<{ id: string; pid: number }[]> =>
  db
    .selectFrom("servers")
    .select(["id", "pid"])
    .where("host", "=", host)
    .where("seen_at", "<", sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
    .execute();

export async function listServers(db: Database) {
  const { rows } = await sql<Selectable<ServerTable> & { silent_seconds: number }>`
    SELECT servers.*, greatest(0, extract(epoch FROM clock_timestamp() - seen_at))::integer AS silent_seconds
    FROM servers ORDER BY host, started_at, id`.execute(db);
  return rows;
}

/** The gateways that are up, each with its devices. */
export async function listGateways(db: Database) {
  const { rows } = await sql<{
    id: string;
    zones: string[] | null;
    is_draining: boolean;
    devices: number;
    online: number;
    found: GatewayFound;
  }>`
    SELECT gateways.id, gateways.zones, gateways.found,
      gateways.id IN (SELECT id FROM draining_gateways) AS is_draining, count(instances.uuid) AS devices,
      count(instances.uuid) FILTER (WHERE instances.state = 'ONLINE') AS online
    FROM gateways LEFT JOIN instances ON instances.lease_holder = gateways.id AND instances.state = ANY (${supervisedStates}::text[])
    GROUP BY gateways.id ORDER BY gateways.id`.execute(db);
  return rows;
}

/** The gateways that are up. */
export async function listDraining(db: Database) {
  const { rows } = await sql<{ is_draining: boolean }>`
    SELECT id IN (SELECT id FROM draining_gateways) AS is_draining FROM gateways`.execute(db);
  return rows;
}

/** How many devices are in each state, of those that are not over. */
export const countDevices = (db: Database): Promise<{ state: InstanceState; count: number }[]> =>
  db
    .selectFrom("instances")
    .select((select) => ["state", select.fn.countAll<number>().as("count")])
    .where("state", "in", shownStates)
    .groupBy("state")
    .orderBy("state")
    .execute();

/** The database server and the size of our database. Of connections, those of everybody who uses the same server count. */
export async function findDatabaseState(db: Database) {
  const { rows } = await sql<{ version: string; bytes: number; connections: number; connections_max: number }>`
    SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
      (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
      current_setting('max_connections')::bigint AS connections_max`.execute(db);
  return rows[0] ?? { version: "", bytes: 0, connections: 0, connections_max: 0 };
}

/** Mails of the last days that no server has taken yet. */
export async function countUnsentMails(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM mails WHERE sent_at IS NULL`.execute(db);
  return rows[0]?.count ?? 0;
}

/** What there are official images of. */
export const listOfferedImages = (db: Database) =>
  db
    .selectFrom("os_images")
    .select(["runtime", "artefact", "sdk_version as sdkVersion"])
    .where("is_official", "=", true)
    .execute();

/** The official recipes with what they are made of, and how many devices of each run. */
export async function listOfficial(db: Database) {
  const { rows } = await sql<{
    uuid: string;
    name: string;
    status: string;
    arch: string | null;
    os_version: string | null;
    image_status: string | null;
    runtime: string | null;
    running_instances: number;
  }>`
    SELECT recipes.uuid, recipes.name, recipes.status, os_images.arch, os_images.os_version, os_images.status AS image_status,
      os_images.runtime, (SELECT count(*) FROM instances WHERE recipe_uuid = recipes.uuid AND NOT is_warm AND ${runs})
        AS running_instances
    FROM recipes LEFT JOIN os_images ON os_images.uuid = recipes.os_image_uuid
    WHERE recipes.is_official ORDER BY recipes.position, recipes.uuid`.execute(db);
  return rows;
}
