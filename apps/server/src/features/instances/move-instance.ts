import { type InstanceEvent, type InstanceState, nextState, statesThatTake } from "@terrarium/contract";
import { type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import type { InstanceTable } from "./instances.tables.ts";

/** The channel on which every process hears that a device changed. */
export const INSTANCE_CHANGED = "instance_changed";

export type InstanceFields = Selectable<InstanceTable>;

export interface Move {
  uuid: string;
  event: InstanceEvent;
  now: Date;
  /** Only the gateway that holds this epoch of the lease; whoever lost it changes nothing. */
  epoch?: number | undefined;
  reason?: string | undefined;
  /** Who asked; none when it came about by itself. */
  actor?: string | undefined;
  machine?: { host: string; port: number } | undefined;
}

/**
 * The only writer of a device's state. It moves when the present state takes the event, appends to the history and
 * tells every process, in one statement. Answers the row as it is now, or undefined when somebody moved first.
 */
export async function moveInstance(db: Database, move: Move): Promise<InstanceFields | undefined> {
  const from = statesThatTake(move.event);
  const to = nextState(from[0] as InstanceState, move.event) as InstanceState;
  const { uuid, event, now, epoch, reason, actor, machine } = move;
  const result = await sql<InstanceFields>`
    WITH before AS (
      SELECT uuid, state FROM instances
      WHERE uuid = ${uuid} AND state = ANY(${from}::text[]) ${epoch === undefined ? sql`` : sql`AND lease_epoch = ${epoch}`}
      FOR UPDATE
    ), moved AS (
      UPDATE instances SET
        state = ${to},
        revision = revision + 1,
        reason = coalesce(${reason ?? null}, instances.reason),
        updated_at = ${now},
        state_since = ${now},
        online_at = CASE WHEN ${to === "ONLINE"} THEN ${now}::timestamptz ELSE online_at END,
        last_active_at = CASE WHEN ${to === "ONLINE"} THEN ${now}::timestamptz ELSE last_active_at END,
        ended_at = CASE WHEN ${isEnd(to)} THEN ${now}::timestamptz ELSE ended_at END,
        machine = CASE WHEN ${isEnd(to)} THEN NULL ELSE coalesce(${machine ? JSON.stringify(machine) : null}::jsonb, machine) END
      FROM before WHERE instances.uuid = before.uuid
      RETURNING instances.*, before.state AS from_state
    ), told AS (
      INSERT INTO instance_events (instance_uuid, revision, event, from_state, to_state, reason, actor_uuid, at)
      SELECT uuid, revision, ${event}, from_state, state, ${reason ?? null}, ${actor ?? null}::uuid, ${now} FROM moved
      RETURNING id
    )
    SELECT moved.*, pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("moved"))}::text) FROM moved, told
  `.execute(db);
  return result.rows[0];
}

const isEnd = (state: InstanceState): boolean => ["DELETED", "ERROR", "REVOKED", "EXPIRED"].includes(state);

/** What a change tells, short enough for a notification: a name has at most 250 characters. */
const changeJson = (row: ReturnType<typeof sql.ref>) => sql`json_build_object(
  'uuid', ${row}.uuid, 'owner_uuid', ${row}.owner_uuid, 'organization_uuid', ${row}.organization_uuid, 'name', ${row}.name,
  'state', ${row}.state, 'revision', ${row}.revision, 'reason', ${row}.reason, 'created_at', ${row}.created_at,
  'updated_at', ${row}.updated_at, 'online_at', ${row}.online_at, 'last_active_at', ${row}.last_active_at,
  'timeout_inactivity', ${row}.timeout_inactivity, 'timeout_global', ${row}.timeout_global)`;

/** The same words for a device that has just been asked for. */
export const tellInserted = (db: Database, uuid: string) =>
  sql`SELECT pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("instances"))}::text) FROM instances WHERE uuid = ${uuid}`.execute(
    db,
  );
