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
import { endUnconfirmed } from "./cancel-plan.ts";
import { type CollectDeps, collectInvoice, lockWork } from "./collect.ts";
import {
  chargedFor,
  type Due,
  dueFor,
  findInvoice,
  findInvoiceOfPeriod,
  findOpenPayment,
  type InvoiceRow,
  listUnpaid,
  listWaiting,
  paidAlso,
} from "./receivables.store.ts";
import { chargedDetails } from "../invoices/present-invoice.ts";
import { issueUpfront } from "./issue-invoice.ts";
import { existing, presentSubscription } from "./present-subscription.ts";
import { settle, usedMinutes } from "./minutes.ts";
import { listDevices, meterRuns, sumRan } from "./minutes.store.ts";
import { currentOffer } from "./prices.ts";
import { type PlanWork, readAt } from "./plan-state.ts";
import {
  appendStatus,
  findRunning,
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
  wanted: { plan: Plan; quantity: number; price?: number | undefined; total?: number | undefined },
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
    const invoice = plan.plan === "payg" ? await begin(work) : await charge(work, plan);
    // What is not charged at all is no other price.
    const due = invoice && chargedFor(invoice, await dueFor(trx, invoice), deps.payments.minimum);
    if (due && wanted.total !== undefined && wanted.total !== due.amount) throw new AppError("PRICE_CHANGED");
    await deps.audit.record(trx, by, {
      action: "subscription.start",
      subject: { kind: "subscription", uuid },
      details: { plan: plan.plan, quantity: plan.quantity, price: plan.price, ...(due && chargedDetails(due)) },
    });
    return invoice;
  });
  const outcome = first === undefined ? undefined : await collectNow(deps, first.uuid);
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
  const running = (await listDevices(trx, organization.uuid, runningStates)).filter(({ waits }) => !waits).length;
  if (running > quantity) throw new AppError("TOO_MANY_RUNNING_VDS", { facts: { running, max: quantity } });
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

async function charge(work: PlanWork, plan: SubscriptionRow): Promise<InvoiceRow | undefined> {
  const { trx, clock, now } = work;
  const invoice = await issueUpfront(work, plan, now);
  // Whoever has asked is answered by `collectNow`; this one is for when that was killed.
  const dueAt = new Date(now.getTime() + CHARGE_DELAY_MS);
  await enqueue(trx, clock, chargeRequest, { invoice }, { key: invoice, dueAt });
  return findInvoice(trx, invoice);
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

/** The free minutes that are left, what the organization owes since the last invoice, and what waits to be charged with the next one. */
export async function balanceOf(
  { db, clock, offer }: Pick<SubscriptionDeps, "db" | "clock" | "offer">,
  { organization }: Caller,
): Promise<Balance> {
  const plan = await findRunning(db, organization);
  const { minutes, free, left } = await usedMinutes(db, await minuteAccount(db, organization), new Date(clock.now()));
  const currency = plan?.currency ?? offer.currency;
  const waiting = [
    ...(await listWaiting(db, organization, currency)),
    ...(plan ? await waitingForFirst(db, plan) : []),
  ];
  return {
    minutes: left,
    amount: plan?.plan === "payg" ? (minutes - free) * plan.price : 0,
    waiting: waiting.reduce((sum, { amount }) => sum + amount, 0),
    currency,
  };
}

/** What a first payment that the customer has yet to confirm pays besides. It waits on if another start takes its place. */
async function waitingForFirst(db: Database, plan: SubscriptionRow): Promise<Due["also_pays"]> {
  if (plan.status !== "INCOMPLETE") return [];
  const first = await findInvoiceOfPeriod(db, plan.uuid, plan.period_began_at);
  const open = first && (await findOpenPayment(db, first.uuid));
  return open ? paidAlso(db, open) : [];
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
