import type { DeliveryState, WebhookAttempt } from "@terrarium/contract";
import { type Insertable, type Selectable, sql } from "kysely";
import type { Database } from "../../database/schema.ts";
import { likeText } from "../../platform/db/like-text.ts";
import type { Rows, Window } from "../../platform/http/pages.ts";
import type { WebhookDeliveryTable, WebhookEndpointTable } from "./webhooks.tables.ts";

export type DeliveryRow = Selectable<WebhookDeliveryTable>;

/** How many attempts of each delivery are logged. */
const LOGGED_ATTEMPTS = 20;

export interface DeliveryFilter {
  states?: readonly DeliveryState[] | undefined;
  types?: readonly string[] | undefined;
  search?: string | undefined;
}

/** A page of an endpoint's deliveries, the latest first. */
export async function listDeliveries(
  db: Database,
  endpoint: string,
  { states, types, search }: DeliveryFilter,
  { limit, offset }: Window,
): Promise<Rows<DeliveryRow>> {
  let found = db.selectFrom("webhook_deliveries").where("endpoint_uuid", "=", endpoint);
  if (states) found = found.where("state", "in", states);
  if (types) found = found.where("type", "in", types);
  if (search) found = found.where(sql`concat_ws(' ', uuid, data)`, "ilike", `%${likeText(search)}%`);
  const { count } = await found.select((select) => select.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
  const results = await found.selectAll().orderBy("id", "desc").limit(limit).offset(offset).execute();
  return { count, results };
}

export const findDelivery = (db: Database, endpoint: string, uuid: string): Promise<DeliveryRow | undefined> =>
  db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("endpoint_uuid", "=", endpoint)
    .where("uuid", "=", uuid)
    .executeTakeFirst();

export async function insertDelivery(db: Database, row: Insertable<WebhookDeliveryTable>): Promise<void> {
  await db.insertInto("webhook_deliveries").values(row).execute();
}

/** Sends one again, or all that were given up since a time; returns how many. One that is under way goes on. */
export async function replayDeliveries(
  db: Database,
  endpoint: string,
  which: { uuid: string } | { since: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_deliveries")
    .set({ state: "waiting", attempts: 0, due_at: sql<Date>`'-infinity'` })
    .where("endpoint_uuid", "=", endpoint)
    .where((where) =>
      "uuid" in which
        ? where.and([where("uuid", "=", which.uuid), where("claim", "is", null)])
        : where.and([where("state", "=", "failed"), where("at", ">=", which.since)]),
    )
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Gives up what waits: of one endpoint, or of all. Nothing that is under way is changed by its outcome any more. */
export async function giveUpWaiting(db: Database, now: Date, endpoint?: string): Promise<number> {
  let waiting = db
    .updateTable("webhook_deliveries")
    .set((set) => ({ state: "failed", claim: null, at: set.fn.coalesce("at", sql<Date>`${now}::timestamptz`) }))
    .where("state", "=", "waiting");
  if (endpoint !== undefined) waiting = waiting.where("endpoint_uuid", "=", endpoint);
  return Number((await waiting.executeTakeFirst()).numUpdatedRows);
}

/** An attempt that is to be made now, with what it needs of its endpoint. */
export interface ClaimedDelivery
  extends
    Pick<DeliveryRow, "id" | "endpoint_uuid" | "uuid" | "type" | "data" | "attempts">,
    Pick<Selectable<WebhookEndpointTable>, "url" | "secret" | "former_secret" | "former_secret_until"> {
  at: Date;
  claim: string;
}

export interface ClaimDeliveries {
  claim: string;
  /** How many attempts for an endpoint are under way here, by its uuid. */
  running: ReadonlyMap<string, number>;
  /** The most for one endpoint; for one that has failed there is one at a time. */
  perEndpoint: number;
  /** The most for an organization; each of its endpoints may have one. */
  perOrganization: number;
  limit: number;
  now: Date;
  /** When somebody else may take over. */
  lapsesAt: Date;
}

/**
 * Claims deliveries that are due: of each endpoint the longest overdue, and no more than it and its organization may have at once, so that a
 * slow one holds up no other. Organizations take turns. No two processes get the same. What is read of an endpoint does not grow with what
 * waits for it.
 */
export async function claimDeliveries(
  db: Database,
  { claim, running, perEndpoint, perOrganization, limit, now, lapsesAt }: ClaimDeliveries,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    WITH RECURSIVE running AS (
      SELECT uuid, count, organization_uuid FROM unnest(${[...running.keys()]}::uuid[], ${[...running.values()]}::integer[]) AS running (uuid, count)
      JOIN webhook_endpoints USING (uuid)
    ), waiting (uuid) AS (
      -- From one endpoint of the index to the next.
      (SELECT endpoint_uuid FROM webhook_deliveries WHERE state = 'waiting' ORDER BY endpoint_uuid LIMIT 1)
      UNION ALL
      SELECT (SELECT endpoint_uuid FROM webhook_deliveries
        WHERE state = 'waiting' AND endpoint_uuid > waiting.uuid ORDER BY endpoint_uuid LIMIT 1)
      FROM waiting WHERE waiting.uuid IS NOT NULL
    ), due AS (
      SELECT delivery.id, slot,
        coalesce(own.count, 0) + row_number() OVER (PARTITION BY endpoint.organization_uuid ORDER BY slot, due_at, id) AS turn
      FROM waiting
      JOIN webhook_endpoints AS endpoint ON endpoint.uuid = waiting.uuid AND disabled_reason IS NULL
      LEFT JOIN running ON running.uuid = endpoint.uuid
      LEFT JOIN (SELECT organization_uuid, sum(count) AS count FROM running GROUP BY organization_uuid) AS own
        ON own.organization_uuid = endpoint.organization_uuid
      CROSS JOIN LATERAL (
        SELECT id, due_at, coalesce(running.count, 0) + row_number() OVER (ORDER BY due_at, id) AS slot FROM webhook_deliveries
        WHERE endpoint_uuid = endpoint.uuid AND state = 'waiting' AND due_at <= ${now}
        ORDER BY due_at, id
        LIMIT greatest(0, CASE WHEN failing_since IS NULL THEN ${perEndpoint}::integer ELSE 1 END - coalesce(running.count, 0))) AS delivery
    ), claimed AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE state = 'waiting' AND due_at <= ${now}
        AND id = ANY (ARRAY (SELECT id FROM due WHERE slot = 1 OR turn <= ${perOrganization} ORDER BY turn, id LIMIT ${limit}))
      FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_deliveries AS delivery SET
      claim = ${claim}, attempts = attempts + 1, due_at = ${lapsesAt}, at = coalesce(at, ${now})
    FROM claimed, webhook_endpoints AS endpoint
    WHERE delivery.id = claimed.id AND endpoint.uuid = endpoint_uuid
    RETURNING delivery.id, endpoint_uuid, delivery.uuid, type, data, attempts, at, claim,
      url, secret, former_secret, former_secret_until`.execute(db);
  return rows;
}

/** How an attempt ended, and what follows. */
export interface Outcome {
  attempt: WebhookAttempt;
  state: DeliveryState;
  /** Of the next attempt. */
  dueAt: Date | undefined;
  now: Date;
}

/**
 * Records an attempt, and what it means for its endpoint; returns since when that fails. Undefined, and nothing is recorded, if the claim
 * was lost to somebody else, or the delivery was given up meanwhile.
 */
export async function recordAttempt(
  trx: Database,
  { id, claim, endpoint_uuid }: Pick<ClaimedDelivery, "id" | "claim" | "endpoint_uuid">,
  { attempt, state, dueAt, now }: Outcome,
): Promise<{ failing_since: Date | null } | undefined> {
  const { numAffectedRows } = await sql`
    UPDATE webhook_deliveries SET claim = NULL, state = ${state}, due_at = coalesce(${dueAt ?? null}::timestamptz, due_at),
      log = CASE WHEN jsonb_array_length(log) >= ${LOGGED_ATTEMPTS} THEN log - 0 ELSE log END || ${JSON.stringify([attempt])}::jsonb
    WHERE id = ${id} AND claim = ${claim}`.execute(trx);
  if (!numAffectedRows) return undefined;
  if (state === "delivered") {
    await trx
      .updateTable("webhook_endpoints")
      .set({ failing_since: null, is_failing: false })
      .where("uuid", "=", endpoint_uuid)
      .where("failing_since", "is not", null)
      .execute();
    return { failing_since: null };
  }
  return trx
    .updateTable("webhook_endpoints")
    .set((set) => ({
      failing_since: sql<Date>`coalesce(${set.ref("failing_since")}, ${now}::timestamptz)`,
      ...(state === "failed" && { is_failing: true }),
    }))
    .where("uuid", "=", endpoint_uuid)
    .returning("failing_since")
    .executeTakeFirst();
}

/** Lets go of attempts that were interrupted, which do not count. */
export async function releaseClaim(db: Database, id: number, claim: string): Promise<void> {
  await sql`UPDATE webhook_deliveries SET claim = NULL, due_at = '-infinity', attempts = attempts - 1
    WHERE id = ${id} AND claim = ${claim}`.execute(db);
}

/** Deletes what happened before a time, and what exceeds the maximum of an endpoint, the oldest first. */
export async function deleteOldDeliveries(
  db: Database,
  before: Date,
  { delivered, others }: { delivered: number; others: number },
): Promise<void> {
  await db.deleteFrom("webhook_deliveries").where("at", "<", before).execute();
  for (const [state, most] of [
    ["delivered", delivered],
    ["failed", others],
    ["waiting", others],
  ] as const)
    await sql`
      WITH last AS MATERIALIZED (
        SELECT endpoint.uuid, (SELECT id FROM webhook_deliveries
          WHERE endpoint_uuid = endpoint.uuid AND state = ${state}
          ORDER BY id DESC OFFSET ${most} LIMIT 1) AS id FROM webhook_endpoints AS endpoint)
      DELETE FROM webhook_deliveries USING last
      WHERE endpoint_uuid = last.uuid AND webhook_deliveries.id <= last.id AND state = ${state}`.execute(db);
}
