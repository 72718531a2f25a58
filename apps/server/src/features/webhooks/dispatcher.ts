import { every } from "@terrarium/clock";
import { limits, type WebhookAttempt } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Logger } from "../../platform/log.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import { OutsideError, type OutsidePolicy, postOutside } from "../../platform/outbound/post-outside.ts";
import type { Sealer } from "../../platform/sealer.ts";
import { byService } from "../audit/by.ts";
import {
  claimDeliveries,
  type ClaimedDelivery,
  giveUpWaiting,
  recordAttempt,
  releaseClaim,
} from "./deliveries.store.ts";
import { signedHeaders } from "./sign.ts";
import { disabledMail } from "./webhook-mail.ts";
import { type EndpointRow, findManagers, lockEndpoint, updateEndpoint } from "./webhooks.store.ts";
import type { FeatureDeps } from "../deps.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Between the attempts of a delivery (Standard Webhooks): ten of them, over about three days. */
export const RETRY_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
/** An endpoint that has accepted nothing for this long is disabled. */
export const DISABLE_AFTER_MS = 5 * 24 * HOUR_MS;
/** For an attempt, answer included. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

const TICK_MS = SECOND_MS;
/** Well beyond an attempt: after that its process is lost, and another tries again. */
const LEASE_MS = MINUTE_MS;
const STOP_TIMEOUT_MS = 5 * SECOND_MS;
/** Of each process. */
const PER_ENDPOINT = 4;
const PER_ORGANIZATION = 12;
const AT_ONCE = 200;
const GONE = 410;

export interface DispatcherDeps extends FeatureDeps {
  log: Logger;
  /** Opens the secrets. */
  webhookSealer: Sealer;
  webhookTargets: OutsidePolicy;
  pagesAt: () => string;
}

/**
 * Sends what waits for webhooks. Any number of processes may do so: a claim gives each attempt to one of them, and lapses if that is killed.
 * A message may therefore arrive twice, and in any order, but always under the same id.
 */
export class WebhookDispatcher {
  readonly #deps: DispatcherDeps;
  readonly #running = new Map<Promise<void>, string>();
  readonly #end = new AbortController();
  readonly #abort = new AbortController();
  #ticking: Promise<unknown> | undefined;
  #claiming: Promise<number> | undefined;
  #claimsAgain = false;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#ticking = every(this.#deps.clock, TICK_MS, () => this.#tick(), this.#end.signal);
  }

  /** Makes all attempts that are due, and those that become due at once; resolves when none is left. For tests and tools. */
  async runDue(): Promise<void> {
    while ((await this.#claim()) > 0) await Promise.all(this.#running.keys());
  }

  /** Claims no more, and waits for what is under way; what takes too long is aborted, and does not count as an attempt. */
  async stop(): Promise<void> {
    this.#end.abort();
    await Promise.all([this.#ticking, this.#claiming]);
    const over = new AbortController();
    const late = this.#deps.clock.sleep(STOP_TIMEOUT_MS, over.signal).catch(() => undefined);
    await Promise.race([Promise.all(this.#running.keys()), late]);
    over.abort();
    this.#abort.abort(new Error("The server is stopping"));
    await Promise.all(this.#running.keys());
  }

  /** An endpoint with many deliveries is sent the next as soon as it has answered. */
  async #tick(): Promise<void> {
    if (this.#claiming) {
      this.#claimsAgain = true;
      return;
    }
    do {
      this.#claimsAgain = false;
      this.#claiming = this.#claim().catch((error: unknown) => {
        this.#deps.log.error({ err: error }, "webhooks that are due could not be read");
        return 0;
      });
      await this.#claiming;
      this.#claiming = undefined;
    } while (this.#claimsAgain && !this.#end.signal.aborted);
  }

  async #claim(): Promise<number> {
    const { db, clock, log } = this.#deps;
    const limit = AT_ONCE - this.#running.size;
    if (limit <= 0) return 0;
    const now = clock.now();
    const claims = await claimDeliveries(db, {
      claim: randomUUID(),
      running: countEach(this.#running.values()),
      perEndpoint: PER_ENDPOINT,
      perOrganization: PER_ORGANIZATION,
      limit,
      now: new Date(now),
      lapsesAt: new Date(now + LEASE_MS),
    });
    for (const claimed of claims) {
      const attempt = this.#attempt(claimed)
        .catch((error: unknown) =>
          log.error({ err: error, id: claimed.id }, "the outcome of a webhook was not recorded"),
        )
        .finally(() => {
          this.#running.delete(attempt);
          if (this.#ticking && !this.#end.signal.aborted) void this.#tick();
        });
      this.#running.set(attempt, claimed.endpoint_uuid);
    }
    return claims.length;
  }

  async #attempt(claimed: ClaimedDelivery): Promise<void> {
    const { db, clock, log } = this.#deps;
    const at = new Date(clock.now());
    const begin = clock.monotonic();
    const outcome = await this.#post(claimed, at).catch((error: unknown) => {
      if (this.#abort.signal.aborted) return undefined;
      const isOutside = error instanceof OutsideError;
      // Recorded as any other: it would else be tried every minute for ever.
      if (!isOutside) log.error({ err: error, id: claimed.id }, "a webhook could not be sent");
      return { status: null, error: isOutside ? error.code : "FAILED", answer: "" };
    });
    if (!outcome) return releaseClaim(db, claimed.id, claimed.claim);
    const duration_ms = Math.round(clock.monotonic() - begin);
    await this.#record(claimed, { at: at.toISOString(), duration_ms, ...outcome });
  }

  async #post(claimed: ClaimedDelivery, at: Date) {
    const { clock, webhookTargets: policy } = this.#deps;
    const body = payloadOf(claimed);
    const { status, answer } = await postOutside({
      url: new URL(claimed.url),
      headers: {
        "content-type": "application/json",
        "user-agent": "Terrarium-Webhooks/1",
        ...signedHeaders(claimed.uuid, at, body, this.#keysOf(claimed, at)),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxAnswerBytes: limits.webhookAnswerBytes,
      policy,
      clock,
      signal: this.#abort.signal,
    });
    // The database stores no NUL in text.
    return { status, error: null, answer: answer.replaceAll("\0", "\uFFFD") };
  }

  #keysOf({ endpoint_uuid, secret, former_secret, former_secret_until: until }: ClaimedDelivery, at: Date): Buffer[] {
    const isKnown = former_secret !== null && until !== null && until > at;
    const sealed = isKnown ? [secret, former_secret] : [secret];
    return sealed.map((one) => this.#deps.webhookSealer.open(one, endpoint_uuid));
  }

  async #record(claimed: ClaimedDelivery, attempt: WebhookAttempt): Promise<void> {
    const { db, clock } = this.#deps;
    const now = new Date(clock.now());
    const { status } = attempt;
    const isAccepted = status !== null && status >= 200 && status < 300;
    const delayMs = status === GONE ? undefined : RETRY_MS[claimed.attempts - 1];
    await transaction(db, async (trx) => {
      // First the endpoint, then its deliveries, as whoever changes or replays it: else they wait for each other.
      const endpoint = await lockEndpoint(trx, claimed.endpoint_uuid);
      if (!endpoint) return;
      const recorded = await recordAttempt(trx, claimed, {
        attempt,
        state: isAccepted ? "delivered" : delayMs === undefined ? "failed" : "waiting",
        dueAt: isAccepted || delayMs === undefined ? undefined : new Date(now.getTime() + delayMs),
        now,
      });
      const since = recorded?.failing_since;
      if (!since) return;
      if (status === GONE) await this.#disable(trx, endpoint, "gone");
      else if (now.getTime() - since.getTime() >= DISABLE_AFTER_MS) await this.#disable(trx, endpoint, "failing");
    });
  }

  /** Once: of attempts that fail together, the others are given up. */
  async #disable(
    trx: Database,
    { uuid, organization_uuid: organization, url }: Pick<EndpointRow, "uuid" | "organization_uuid" | "url">,
    why: "failing" | "gone",
  ): Promise<void> {
    const { clock, audit, pagesAt } = this.#deps;
    await updateEndpoint(trx, uuid, { disabled_reason: why });
    await giveUpWaiting(trx, new Date(clock.now()), uuid);
    const subject = { kind: "webhook", uuid } as const;
    const details = { is_enabled: false, reason: why };
    await audit.record(trx, byService, { action: "webhook.edit", subject, organization, details });
    for (const { address } of await findManagers(trx, organization))
      await sendMail(trx, clock, { to: { address }, ...disabledMail({ uuid, url, why, pagesAt: pagesAt() }) });
  }
}

/** What is sent: the same bytes at each attempt. */
export const payloadOf = ({ type, at, data }: Pick<ClaimedDelivery, "type" | "data"> & { at: Date | null }): string =>
  JSON.stringify({ type, timestamp: at?.toISOString() ?? null, data });

const countEach = (names: Iterable<string>): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};
