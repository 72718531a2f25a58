import {
  type Answer,
  AppError,
  type Balance,
  type Offer,
  periodEnd,
  type Plan,
  type PlanUsage,
  priceOf,
  runningStates,
  type Subscription,
  type subscriptions,
} from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { Logger } from "../../platform/log.ts";
import type { By } from "../audit/by.ts";
import { minuteAccount, setOrganization } from "../organizations/change-organization.ts";
import { defaultCardOf } from "../payments/payments.ts";
import { chargeRequest } from "./billing-requests.ts";
import { type CollectDeps, collectInvoice, lockWork } from "./collect.ts";
import { findInvoiceOfPeriod, findOpenPayment, listUnpaid } from "./receivables.store.ts";
import { issueUpfront } from "./issue-invoice.ts";
import { settle, usedMinutes } from "./minutes.ts";
import { listDevices, meterRuns, sumRan } from "./minutes.store.ts";
import { currentOffer } from "./prices.ts";
import { endPlan, type PlanWork, readAt, setCancelling } from "./plan-state.ts";
import {
  appendStatus,
  findRunning,
  findSubscription,
  insertSubscription,
  listSubscriptions,
  type SubscriptionRow,
} from "./subscriptions.store.ts";

export interface SubscriptionDeps extends CollectDeps {
  log: Logger;
  offer: Offer;
}

/** A manager, who has an organization. */
type Caller = { organization: string };
/** For whoever starts a plan to be answered first. */
const CHARGE_DELAY_MS = 60_000;

/** A subscription as clients know it. */
export function presentSubscription(row: SubscriptionRow): Subscription {
  const { uuid, plan, quantity, price, currency, history } = row;
  const interval = ({ payg: "minute", monthly: "month", annual: "year" } as const)[plan];
  const usage_type = plan === "payg" ? "metered" : "licensed";
  return {
    uuid,
    plan,
    quantity,
    is_active: row.ended_at === null && row.status !== "INCOMPLETE",
    cancel_at_period_end: row.cancel_at_period_end,
    current_period_start: row.period_began_at.toISOString(),
    current_period_end: row.period_ends_at.toISOString(),
    items: [{ quantity, plan: { id: plan, price, currency, interval, usage_type } }],
    status_history: history.map(({ status, cancel_at_period_end, at }) => ({
      status,
      cancel_at_period_end,
      created_at: new Date(at).toISOString(),
    })),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  };
}

/** The plan of an organization that has not ended; null where there is none. */
export async function currentSubscription(db: Database, organization: string): Promise<Subscription | null> {
  const row = await findRunning(db, organization);
  return row ? presentSubscription(row) : null;
}

/** The subscriptions of an organization, the newest first. */
export async function getSubscriptions(
  { db }: Pick<SubscriptionDeps, "db">,
  { organization }: Caller,
  isActive: boolean | undefined,
): Promise<Answer<typeof subscriptions.list>> {
  const results = (await listSubscriptions(db, organization, isActive)).map(presentSubscription);
  return { count: results.length, next: null, previous: null, results };
}

/**
 * Starts a plan at today's price. One that is paid in advance is charged at once: it is INCOMPLETE until the payment is there, which the customer
 * may have to confirm.
 * @throws AppError BILLING_ADDRESS_MISSING, PAYMENT_METHOD_MISSING, UNPAID_INVOICES, OTHER_PLAN_ACTIVE, INVALID_LICENSE, PRICE_CHANGED,
 *   TOO_MANY_RUNNING_VDS if more devices run than it is for, CARD_REFUSED
 */
export async function startSubscription(
  deps: SubscriptionDeps,
  { organization }: Caller,
  wanted: { plan: Plan; quantity: number; price?: number | undefined },
  by: By,
): Promise<Answer<typeof subscriptions.create>> {
  const uuid = randomUUID();
  const first = await transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    await checkRequirements(work);
    const offer = await currentOffer(trx, deps.offer);
    if (wanted.price !== undefined && wanted.price !== priceOf(wanted.plan, offer)) throw new AppError("PRICE_CHANGED");
    if (wanted.plan !== "payg") await checkDevices(work, wanted.quantity);
    const plan = await insertPlan(work, offer, uuid, wanted);
    await deps.audit.record(trx, by, {
      action: "subscription.start",
      subject: { kind: "subscription", uuid },
      details: { plan: plan.plan, quantity: plan.quantity, price: plan.price },
    });
    return plan.plan === "payg" ? begin(work) : charge(work, plan);
  });
  const outcome = first === undefined ? undefined : await collectNow(deps, first);
  if (outcome?.kind === "refused") throw new AppError("CARD_REFUSED", { message: outcome.reason });
  const requires_action = outcome?.kind === "requires_action" ? { client_secret: outcome.clientSecret } : null;
  return { ...presentSubscription(await existing(deps.db, organization, uuid)), requires_action };
}

async function checkRequirements(work: PlanWork): Promise<void> {
  const { trx, organization } = work;
  const running = await findRunning(trx, organization.uuid);
  if (running && running.status !== "INCOMPLETE") throw new AppError("OTHER_PLAN_ACTIVE");
  // What the operator has agreed, or taken away.
  if (organization.license_type === "fixed") throw new AppError("OTHER_PLAN_ACTIVE");
  if (!organization.license_is_active) throw new AppError("INVALID_LICENSE");
  if (organization.address === null) throw new AppError("BILLING_ADDRESS_MISSING");
  if (!(await defaultCardOf(trx, organization.uuid))) throw new AppError("PAYMENT_METHOD_MISSING");
  // A start that the customer never confirmed gives way to another.
  if (running) await endUnconfirmed(work, running);
  if ((await listUnpaid(trx, organization.uuid)).length > 0) throw new AppError("UNPAID_INVOICES");
}

/** What runs is covered by a plan that begins: it has to be for as many devices. */
async function checkDevices({ trx, organization }: PlanWork, quantity: number): Promise<void> {
  const running = (await listDevices(trx, organization.uuid, runningStates)).length;
  if (running > quantity) throw new AppError("TOO_MANY_RUNNING_VDS", { facts: { running, max: quantity } });
}

/** @throws AppError OTHER_PLAN_ACTIVE while the provider has yet to say what became of it */
async function endUnconfirmed(work: PlanWork, plan: SubscriptionRow): Promise<void> {
  const invoice = await findInvoiceOfPeriod(work.trx, plan.uuid, plan.period_began_at);
  if (invoice && (await findOpenPayment(work.trx, invoice.uuid))?.outcome === "unknown")
    throw new AppError("OTHER_PLAN_ACTIVE");
  await endPlan(work, plan, { isUnpaid: false });
}

async function insertPlan(
  { trx, organization, now }: PlanWork,
  offer: Offer,
  uuid: string,
  { plan, quantity }: { plan: Plan; quantity: number },
): Promise<SubscriptionRow> {
  await insertSubscription(trx, {
    uuid,
    organization_uuid: organization.uuid,
    plan,
    quantity: plan === "payg" ? 1 : quantity,
    price: priceOf(plan, offer),
    currency: offer.currency,
    period_began_at: now,
    period_ends_at: periodEnd(plan, now),
    devices_before: organization.instances_max,
    license_ends_before: organization.license_expires_at,
    created_at: now,
  });
  const status = plan === "payg" ? "ACTIVE" : "INCOMPLETE";
  await appendStatus(trx, uuid, { status, cancel_at_period_end: false, at: now });
  return existing(trx, organization.uuid, uuid);
}

/** Pay-as-you-go begins: what was used until now was free, and what was paid in advance and goes on is metered. */
async function begin(work: PlanWork): Promise<undefined> {
  const { trx, organization, now } = work;
  await settle(trx, organization, { until: now, now });
  await meterRuns(trx, organization.uuid, readAt(work));
  const license = { license_type: "metered", is_unpaid: false, license_expires_at: null } as const;
  await setOrganization(trx, organization.uuid, license);
}

async function charge(work: PlanWork, plan: SubscriptionRow): Promise<string> {
  const { trx, clock, now } = work;
  const invoice = await issueUpfront(work, plan, now);
  // Whoever has asked is answered by `collectNow`; this one is for when that was killed.
  const dueAt = new Date(now.getTime() + CHARGE_DELAY_MS);
  await enqueue(trx, clock, chargeRequest, { invoice }, { key: invoice, dueAt });
  return invoice;
}

/** Undefined if the provider does not answer: a job asks again. */
async function collectNow(deps: SubscriptionDeps, invoice: string) {
  try {
    return await collectInvoice(deps, invoice);
  } catch (error) {
    if (error instanceof AppError && error.code !== "SERVICE_UNAVAILABLE") throw error;
    deps.log.warn({ err: error, invoice }, "a payment provider did not answer, and will be asked again");
    return undefined;
  }
}

/**
 * Lets an upfront plan end with its period, or restores it.
 * @throws AppError SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_ENDED, PLAN_HAS_NO_PERIOD
 */
export async function editSubscription(
  deps: SubscriptionDeps,
  { organization }: Caller,
  { uuid, cancel_at_period_end }: { uuid: string; cancel_at_period_end: boolean },
  by: By,
): Promise<Subscription> {
  await existing(deps.db, organization, uuid);
  return transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await running(work, uuid);
    if (plan.plan === "payg") throw new AppError("PLAN_HAS_NO_PERIOD");
    if (plan.cancel_at_period_end !== cancel_at_period_end) {
      await setCancelling(work, plan, cancel_at_period_end);
      const subject = { kind: "subscription", uuid } as const;
      await deps.audit.record(trx, by, { action: "subscription.edit", subject, details: { cancel_at_period_end } });
    }
    return presentSubscription(await existing(trx, organization, uuid));
  });
}

/**
 * Cancels a plan: pay-as-you-go at once, with an invoice for what was used, and all devices stop; an upfront plan with its period.
 * @throws AppError SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_ENDED, OTHER_PLAN_ACTIVE
 */
export async function cancelSubscription(
  deps: SubscriptionDeps,
  { organization }: Caller,
  uuid: string,
  by: By,
): Promise<Subscription> {
  await existing(deps.db, organization, uuid);
  return transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await running(work, uuid);
    if (plan.status === "INCOMPLETE") await endUnconfirmed(work, plan);
    else if (plan.plan === "payg") await endPlan(work, plan, { isUnpaid: plan.status === "SUSPENDED" });
    else if (!plan.cancel_at_period_end) await setCancelling(work, plan, true);
    const subject = { kind: "subscription", uuid } as const;
    await deps.audit.record(trx, by, { action: "subscription.cancel", subject, details: { plan: plan.plan } });
    return presentSubscription(await existing(trx, organization, uuid));
  });
}

/** The free minutes that are left, and what the organization owes since the last invoice. */
export async function balanceOf(
  { db, clock, offer }: Pick<SubscriptionDeps, "db" | "clock" | "offer">,
  { organization }: Caller,
): Promise<Balance> {
  const plan = await findRunning(db, organization);
  const { minutes, free, left } = await usedMinutes(db, await minuteAccount(db, organization), new Date(clock.now()));
  return {
    minutes: left,
    amount: plan?.plan === "payg" ? (minutes - free) * plan.price : 0,
    currency: plan?.currency ?? offer.currency,
  };
}

/** @throws AppError SUBSCRIPTION_NOT_FOUND */
export async function usageOfPlan(
  { db, clock, offer }: Pick<SubscriptionDeps, "db" | "clock" | "offer">,
  { organization }: Caller,
  uuid: string,
): Promise<PlanUsage> {
  const plan = await existing(db, organization, uuid);
  const now = new Date(clock.now());
  const { minutes, free_minutes } = await periodUse(db, plan, now);
  const billed_minutes = plan.plan === "payg" ? minutes - free_minutes : 0;
  return {
    period_start: plan.period_began_at.toISOString(),
    period_end: (plan.ended_at ?? plan.period_ends_at).toISOString(),
    minutes,
    free_minutes,
    billed_minutes,
    current_usage_cents: billed_minutes * plan.price,
    threshold_cents: plan.plan === "payg" ? (await currentOffer(db, offer)).payg_threshold_cents : null,
    currency: plan.currency,
  };
}

async function periodUse(db: Database, plan: SubscriptionRow, now: Date) {
  const { organization_uuid: organization, period_began_at: since, ended_at } = plan;
  if (plan.plan !== "payg")
    return { minutes: await sumRan(db, { organization, since, until: ended_at ?? now, now }), free_minutes: 0 };
  if (ended_at) return { minutes: 0, free_minutes: 0 };
  const { minutes, free } = await usedMinutes(db, await minuteAccount(db, organization), now);
  return { minutes, free_minutes: free };
}

/** One of another organization is as if it were not there. */
async function existing(db: Database, organization: string, uuid: string): Promise<SubscriptionRow> {
  const row = await findSubscription(db, uuid);
  if (row?.organization_uuid !== organization) throw new AppError("SUBSCRIPTION_NOT_FOUND");
  return row;
}

async function running({ trx, organization }: PlanWork, uuid: string): Promise<SubscriptionRow> {
  const row = await existing(trx, organization.uuid, uuid);
  if (row.ended_at) throw new AppError("SUBSCRIPTION_ENDED");
  return row;
}
