import { AppError, type Contract, limits, type Received, type Sent, type Webhook } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { isRefused, type OutsidePolicy } from "../../platform/outbound/post-outside.ts";
import type { Sealer } from "../../platform/sealer.ts";
import type { By } from "../audit/by.ts";
import { giveUpWaiting } from "./deliveries.store.ts";
import { newSecret } from "./sign.ts";
import {
  deleteEndpoint,
  type EndpointRow,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  lockOrganization,
  updateEndpoint,
} from "./webhooks.store.ts";
import type { LimitedDeps } from "../deps.ts";

const HOUR_MS = 60 * 60 * 1000;

export interface WebhookDeps extends LimitedDeps {
  webhookSealer: Sealer;
  webhookTargets: OutsidePolicy;
}

type Routes = Contract["webhooks"];
type Shown = Webhook & { secret: string };

export async function getWebhooks({ db, clock }: WebhookDeps, organization: string): Promise<Webhook[]> {
  const now = clock.now();
  return (await listEndpoints(db, organization)).map((row) => presentWebhook(row, now));
}

/**
 * Registers an endpoint for what happens from now on. This reply is the only place where its secret is ever seen.
 * @throws WEBHOOK_ADDRESS_REFUSED, TOO_MANY_WEBHOOKS
 */
export async function createWebhook(
  deps: WebhookDeps,
  organization: string,
  { url, description, events }: Received<Routes["create"]>["body"],
  by: By,
): Promise<Shown> {
  const { db, clock, audit, webhookSealer, webhookTargets } = deps;
  checkAddress(url, webhookTargets);
  const uuid = randomUUID();
  const { key, shown } = newSecret();
  const webhook = await transaction(db, async (trx) => {
    await lockOrganization(trx, organization);
    if ((await listEndpoints(trx, organization)).length >= limits.webhooks) throw new AppError("TOO_MANY_WEBHOOKS");
    await insertEndpoint(trx, {
      uuid,
      organization_uuid: organization,
      url,
      description,
      events,
      secret: webhookSealer.seal(key, uuid),
      created_at: new Date(clock.now()),
    });
    await audit.record(trx, by, {
      action: "webhook.create",
      subject: { kind: "webhook", uuid },
      details: { host: new URL(url).host },
    });
    return getWebhook({ ...deps, db: trx }, organization, uuid);
  });
  return { ...webhook, secret: shown };
}

/**
 * Changes an endpoint. What waits for one that is disabled is given up; another address begins with good health.
 * @throws WEBHOOK_ADDRESS_REFUSED, WEBHOOK_NOT_FOUND
 */
export async function editWebhook(
  deps: WebhookDeps,
  { organization, uuid }: { organization: string; uuid: string },
  { is_enabled, ...change }: Sent<Routes["edit"]>["body"],
  by: By,
): Promise<Webhook> {
  const { db, clock, audit, webhookTargets } = deps;
  if (change.url !== undefined) checkAddress(change.url, webhookTargets);
  return transaction(db, async (trx) => {
    const before = await lockOwn(trx, organization, uuid);
    const wasEnabled = before.disabled_reason === null;
    const fields = Object.keys(change) as (keyof typeof change)[];
    const changed = fields.filter((field) => !isDeepStrictEqual(change[field], before[field]));
    const isSwitched = is_enabled !== undefined && is_enabled !== wasEnabled;
    if (changed.length > 0 || isSwitched) {
      const begins = (isSwitched && is_enabled) || changed.includes("url");
      await updateEndpoint(trx, uuid, {
        ...change,
        ...(isSwitched && { disabled_reason: is_enabled ? null : "manager" }),
        ...(begins && { failing_since: null, is_failing: false }),
        uuid,
      });
      await audit.record(trx, by, {
        action: "webhook.edit",
        subject: { kind: "webhook", uuid },
        details: {
          ...(changed.length > 0 && { changed: changed.join(" ") }),
          ...(isSwitched && { is_enabled }),
          ...(changed.includes("url") && { host: new URL(change.url ?? before.url).host }),
        },
      });
    }
    if (is_enabled === false) await giveUpWaiting(trx, new Date(clock.now()), uuid);
    return getWebhook({ ...deps, db: trx }, organization, uuid);
  });
}

/** @throws WEBHOOK_NOT_FOUND */
export async function deleteWebhook(
  { db, audit }: WebhookDeps,
  { organization, uuid }: { organization: string; uuid: string },
  by: By,
): Promise<void> {
  await transaction(db, async (trx) => {
    const { url } = await lockOwn(trx, organization, uuid);
    await deleteEndpoint(trx, uuid);
    const subject = { kind: "webhook", uuid } as const;
    await audit.record(trx, by, { action: "webhook.delete", subject, details: { host: new URL(url).host } });
  });
}

/**
 * Gives an endpoint a new secret. The one before signs beside it for a day, so that a receiver can change without refusing anything.
 * @throws WEBHOOK_NOT_FOUND
 */
export async function rotateSecret(
  deps: WebhookDeps,
  { organization, uuid }: { organization: string; uuid: string },
  by: By,
): Promise<Shown> {
  const { db, clock, audit, webhookSealer } = deps;
  const { key, shown } = newSecret();
  const webhook = await transaction(db, async (trx) => {
    const { secret: former_secret } = await lockOwn(trx, organization, uuid);
    await updateEndpoint(trx, uuid, {
      secret: webhookSealer.seal(key, uuid),
      former_secret,
      former_secret_until: new Date(clock.now() + limits.webhookRotationHours * HOUR_MS),
    });
    await audit.record(trx, by, { action: "webhook.rotate_secret", subject: { kind: "webhook", uuid } });
    return getWebhook({ ...deps, db: trx }, organization, uuid);
  });
  return { ...webhook, secret: shown };
}

/** An organization's own endpoint, which nobody else changes until the transaction ends. @throws WEBHOOK_NOT_FOUND */
export async function lockOwn(trx: Database, organization: string, uuid: string) {
  const endpoint = await lockEndpoint(trx, uuid);
  if (endpoint?.organization_uuid !== organization) throw new AppError("WEBHOOK_NOT_FOUND");
  return endpoint;
}

async function getWebhook(deps: WebhookDeps, organization: string, uuid: string): Promise<Webhook> {
  const found = (await getWebhooks(deps, organization)).find((webhook) => webhook.uuid === uuid);
  if (!found) throw new AppError("WEBHOOK_NOT_FOUND");
  return found;
}

/** What its host name stands for is checked at each attempt. */
function checkAddress(url: string, policy: OutsidePolicy): void {
  if (!isRefused(new URL(url), policy)) return;
  const { message } = new AppError("WEBHOOK_ADDRESS_REFUSED");
  throw new AppError("WEBHOOK_ADDRESS_REFUSED", { fields: [{ field: "url", message }] });
}

function presentWebhook(row: EndpointRow, now: number): Webhook {
  const { disabled_reason, failing_since, former_secret_until: until } = row;
  const health = row.is_failing ? "failing" : failing_since ? "retrying" : "healthy";
  return {
    uuid: row.uuid,
    url: row.url,
    description: row.description,
    events: row.events,
    health: disabled_reason === null ? health : "disabled",
    disabled_reason,
    failing_since: failing_since?.toISOString() ?? null,
    former_secret_until: until && until.getTime() > now ? until.toISOString() : null,
    waiting: row.waiting,
    failed: row.failed,
    created_at: row.created_at.toISOString(),
  };
}
