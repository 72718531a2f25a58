import type { InstanceEvent, InstanceState } from "@terrarium/contract";
import { sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { changeColumns, type InstanceFields } from "./instances.store.ts";
import type { Move } from "./move-instance.ts";

/** The channel on which every process hears that a device changed. */
export const INSTANCE_CHANGED = "instance_changed";

/** What the table of a device's life says of an event. */
export interface Transition {
  event: InstanceEvent;
  from: readonly InstanceState[];
  to: InstanceState;
  /** Whether `to` is where a life ends: no machine is left. */
  isEnd: boolean;
}

/** What its event carries of a row after a move, and the state before. The snapshot, which may be megabytes, stays in the database. */
export interface MovedInstance extends Pick<InstanceFields, (typeof changeColumns)[number]> {
  from_state: InstanceState;
}

/** Moves a row that is in one of the states `from`, appends to its history and notifies, in one statement. */
export async function writeMove(
  db: Database,
  { event, from, to, isEnd }: Transition,
  { uuid, now, epoch, isWarm, reason, actor, machine, save, saveError }: Move,
): Promise<MovedInstance | undefined> {
  // A device whose save has failed is as long online as it was.
  const comesOnline = event === "booted" || event === "warmed";
  const saved = to === "SAVED" ? { progress: 100 } : saveError && { error: saveError };
  const result = await sql<MovedInstance>`
    WITH before AS (
      SELECT uuid, state FROM instances
      WHERE uuid = ${uuid} AND state = ANY(${from}::text[]) ${epoch === undefined ? sql`` : sql`AND lease_epoch = ${epoch}`}
        ${isWarm ? sql`AND is_warm` : sql``}
      FOR UPDATE
    ), moved AS (
      UPDATE instances SET
        state = ${to},
        revision = revision + 1,
        reason = coalesce(${reason ?? null}, instances.reason),
        updated_at = ${now},
        online_at = CASE WHEN ${comesOnline} THEN ${now}::timestamptz ELSE online_at END,
        ran_ms = CASE WHEN ${comesOnline} THEN 0 ELSE ran_ms END,
        idle_ms = CASE WHEN ${comesOnline} THEN 0 ELSE idle_ms END,
        kept_until_ms = CASE WHEN ${comesOnline} THEN 0 ELSE kept_until_ms END,
        measured_at = CASE WHEN ${comesOnline} THEN ${now}::timestamptz ELSE measured_at END,
        ended_at = CASE WHEN ${isEnd} THEN ${now}::timestamptz ELSE ended_at END,
        machine = CASE WHEN ${isEnd} THEN NULL ELSE coalesce(${machine ? JSON.stringify(machine.adb) : null}::jsonb, machine) END,
        queued_at = NULL,
        queue_place = NULL,
        queue_starts_at = NULL,
        can_save = coalesce(${machine?.canSave ?? null}, can_save),
        save = coalesce(${save ? JSON.stringify(save) : null}::jsonb, save || ${saved ? JSON.stringify(saved) : null}::jsonb, save)
      FROM before WHERE instances.uuid = before.uuid
      RETURNING ${sql.join(changeColumns.map((column) => sql.ref(`instances.${column}`)))}, before.state AS from_state
    ), recorded AS (
      INSERT INTO instance_events (instance_uuid, revision, event, from_state, to_state, reason, actor_uuid, at)
      SELECT uuid, revision, ${event}, from_state, state, ${reason ?? saveError ?? null}, ${actor ?? null}::uuid, ${now} FROM moved
      RETURNING id
    )
    SELECT moved.*, pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("moved"))}::text) FROM moved, recorded
  `.execute(db);
  return result.rows[0];
}

/** What a notification carries, short enough for a notification: a name has at most 250 characters. */
export const changeJson = (row: ReturnType<typeof sql.ref>) => sql`json_build_object(
  'uuid', ${row}.uuid, 'owner_uuid', ${row}.owner_uuid, 'organization_uuid', ${row}.organization_uuid, 'name', ${row}.name,
  'state', ${row}.state, 'revision', ${row}.revision, 'reason', ${row}.reason, 'created_at', ${row}.created_at,
  'updated_at', ${row}.updated_at, 'online_at', ${row}.online_at, 'ran_ms', ${row}.ran_ms, 'idle_ms', ${row}.idle_ms, 'measured_at', ${row}.measured_at,
  'kept_until_ms', ${row}.kept_until_ms, 'budget_stops_at', ${row}.budget_stops_at,
  'queued_at', ${row}.queued_at, 'queue_place', ${row}.queue_place, 'queue_starts_at', ${row}.queue_starts_at,
  'cover_stops_at', ${row}.cover_stops_at, 'cover_stops_because', ${row}.cover_stops_because,
  'timeout_inactivity', ${row}.timeout_inactivity, 'timeout_global', ${row}.timeout_global,
  'can_save', ${row}.can_save, 'save', ${row}.save)`;

/** Notifies of a device that has just been asked for. */
export async function notifyInserted(db: Database, uuid: string): Promise<void> {
  await sql`SELECT pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("instances"))}::text)
    FROM instances WHERE uuid = ${uuid}`.execute(db);
}
