import type { StopReason } from "@terrarium/contract";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { changeColumns } from "./instances.store.ts";
import { changeJson, INSTANCE_CHANGED } from "./move-instance.store.ts";

/** Notes when devices are to stop for a budget, or that they are not any more, and notifies of those for which that has changed. */
export const announceStops = (
  db: Database,
  stops: readonly { uuid: string; stops_at: Date | null }[],
  now: Date,
): Promise<void> =>
  announce(db, stops, now, {
    set: sql`budget_stops_at = stops.at`,
    differs: sql`budget_stops_at IS DISTINCT FROM stops.at`,
  });

/** The same for devices that nothing covers any more, with why. */
export const announceUncovered = (
  db: Database,
  stops: readonly { uuid: string; stops_at: Date | null; because: StopReason | null }[],
  now: Date,
): Promise<void> =>
  announce(db, stops, now, {
    set: sql`cover_stops_at = stops.at, cover_stops_because = stops.because`,
    differs: sql`(cover_stops_at, cover_stops_because) IS DISTINCT FROM (stops.at, stops.because)`,
  });

async function announce(
  db: Database,
  stops: readonly { uuid: string; stops_at: Date | null; because?: StopReason | null }[],
  now: Date,
  { set, differs }: Record<"set" | "differs", RawBuilder<unknown>>,
): Promise<void> {
  if (stops.length === 0) return;
  const column = (name: "uuid" | "stops_at" | "because") => stops.map((stop) => stop[name] ?? null);
  await sql`WITH changed AS (
      UPDATE instances SET ${set}, revision = revision + 1, updated_at = ${now}
      FROM unnest(${column("uuid")}::uuid[], ${column("stops_at")}::timestamptz[], ${column("because")}::text[]) AS stops (uuid, at, because)
      WHERE instances.uuid = stops.uuid AND ${differs}
      RETURNING ${sql.join(changeColumns.map((name) => sql.ref(`instances.${name}`)))}
    )
    SELECT pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("changed"))}::text) FROM changed`.execute(db);
}

/** The devices of an organization whose announced stop is due. */
export async function listAnnounced(db: Database, organization: string, now: Date): Promise<string[]> {
  const rows = db.selectFrom("instances").select("uuid").where("organization_uuid", "=", organization);
  const due = rows.where("budget_stops_at", "<=", now).where("ended_at", "is", null).orderBy("uuid");
  return (await due.execute()).map(({ uuid }) => uuid);
}

/**
 * Extends an online device's run: its timeouts do not stop it for this long from now. Notifies sockets. Time is counted as its gateway
 * counts it, so that setting the clock changes nothing. Undefined if it is not online.
 */
export async function extendRun(db: Database, uuid: string, ms: number, now: Date) {
  const { rows } = await sql<{ kept_until_ms: number; revision: number; updated_at: Date }>`WITH changed AS (
      UPDATE instances SET kept_until_ms = greatest(kept_until_ms, ran_ms + since_measured(measured_at, ${now}) + ${ms}),
        revision = revision + 1, updated_at = ${now}
      WHERE uuid = ${uuid} AND state = 'ONLINE'
      RETURNING ${sql.join(changeColumns.map((column) => sql.ref(`instances.${column}`)))}
    )
    SELECT kept_until_ms, revision, updated_at, pg_notify(${INSTANCE_CHANGED}, ${changeJson(sql.ref("changed"))}::text)
    FROM changed`.execute(db);
  return rows[0];
}
