import {
  type Answer,
  AppError,
  type Contract,
  type Received,
  TEST_EVENT,
  type WebhookDelivery,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { transaction } from "../../platform/db/transaction.ts";
import { type Rows, windowOf } from "../../platform/http/pages.ts";
import { type Limit, MAX_WINDOW_MS } from "../../platform/rate-limits/database-rate-limiter.ts";
import type { Act } from "../audit/audit.ts";
import type { By } from "../audit/by.ts";
import {
  type DeliveryRow,
  findDelivery,
  giveUpWaiting,
  insertDelivery,
  listDeliveries,
  replayDeliveries,
} from "./deliveries.store.ts";
import { payloadOf } from "./dispatcher.ts";
import { lockOwn, type WebhookDeps } from "./webhooks.ts";
import { findOrganizationOf } from "./webhooks.store.ts";

/** Tests and replays together: each makes the service send something. */
const sendsOfOrganization: Limit = { name: "webhooks sent on demand", max: 100, windowMs: MAX_WINDOW_MS };

type Routes = Contract["webhooks"];
interface Own {
  organization: string;
  uuid: string;
}

/** @throws WEBHOOK_NOT_FOUND, PAGE_TOO_LARGE */
export async function getDeliveries(
  { db }: Pick<WebhookDeps, "db">,
  own: Own,
  query: Received<Routes["deliveries"]>["query"],
): Promise<Rows<WebhookDelivery>> {
  await checkOwn(db, own);
  const filter = { states: query.state, types: query.type, search: query.search };
  const { count, results } = await listDeliveries(db, own.uuid, filter, windowOf(query));
  return { count, results: results.map(presentDelivery) };
}

/** @throws WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND */
export async function getDelivery(
  { db }: Pick<WebhookDeps, "db">,
  own: Own,
  delivery: string,
): Promise<Answer<Routes["delivery"]>> {
  await checkOwn(db, own);
  const row = await findDelivery(db, own.uuid, delivery);
  if (!row) throw new AppError("WEBHOOK_DELIVERY_NOT_FOUND");
  return { ...presentDelivery(row), payload: payloadOf(row), log: row.log };
}

/**
 * Adds an event that means nothing, for trying an endpoint.
 * @throws WEBHOOK_NOT_FOUND, WEBHOOK_DISABLED, TOO_MANY_REQUESTS
 */
export async function sendTest(deps: WebhookDeps, own: Own, by: By): Promise<{ uuid: string }> {
  const { db, clock, audit, limiter } = deps;
  await limiter.take(sendsOfOrganization, own.organization);
  const uuid = randomUUID();
  await transaction(db, async (trx) => {
    await lockEnabled(trx, own);
    const data = JSON.stringify({ webhook_uuid: own.uuid });
    const at = new Date(clock.now());
    await insertDelivery(trx, { endpoint_uuid: own.uuid, uuid, type: TEST_EVENT, data, at });
    await audit.record(trx, by, { action: "webhook.test", subject: { kind: "webhook", uuid: own.uuid } });
  });
  return { uuid };
}

/**
 * Sends a delivery again, or all that were given up since a time, under the ids that they have; returns how many.
 * @throws WEBHOOK_NOT_FOUND, WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DISABLED, TOO_MANY_REQUESTS
 */
export async function replay(
  { db, audit, limiter }: WebhookDeps,
  own: Own,
  which: { uuid: string } | { since: Date },
  by: By,
): Promise<number> {
  await limiter.take(sendsOfOrganization, own.organization);
  return transaction(db, async (trx) => {
    await lockEnabled(trx, own);
    if ("uuid" in which && !(await findDelivery(trx, own.uuid, which.uuid)))
      throw new AppError("WEBHOOK_DELIVERY_NOT_FOUND");
    const replayed = await replayDeliveries(trx, own.uuid, which);
    const details: Act["details"] =
      "uuid" in which ? { delivery: which.uuid } : { since: which.since.toISOString(), replayed };
    await audit.record(trx, by, { action: "webhook.replay", subject: { kind: "webhook", uuid: own.uuid }, details });
    return replayed;
  });
}

/** Gives up all that waits, for every endpoint; returns how many. They can be replayed. */
export const cancelDeliveries = (db: WebhookDeps["db"], now: Date): Promise<number> => giveUpWaiting(db, now);

async function lockEnabled(trx: WebhookDeps["db"], { organization, uuid }: Own): Promise<void> {
  const { disabled_reason } = await lockOwn(trx, organization, uuid);
  if (disabled_reason !== null) throw new AppError("WEBHOOK_DISABLED");
}

async function checkOwn(db: WebhookDeps["db"], { organization, uuid }: Own): Promise<void> {
  if ((await findOrganizationOf(db, uuid)) !== organization) throw new AppError("WEBHOOK_NOT_FOUND");
}

function presentDelivery({ uuid, type, at, state, log, due_at, claim }: DeliveryRow): WebhookDelivery {
  const last = log.at(-1);
  // Before all time: at once. That of a claim says only when somebody else may take over.
  const isTimed = state === "waiting" && claim === null && Number.isFinite(Number(due_at));
  return {
    uuid,
    type,
    at: at?.toISOString() ?? null,
    state,
    attempts: log.length,
    status: last?.status ?? null,
    error: last?.error ?? null,
    next_at: isTimed ? due_at.toISOString() : null,
  };
}
