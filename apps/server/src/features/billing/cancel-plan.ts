import { AppError, type Subscription } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { type CollectDeps, lockWork } from "./collect.ts";
import { mailPlan } from "./mail-plan.ts";
import { endPlan, type PlanDeps, type PlanWork, setCancelling } from "./plan-state.ts";
import { existing, presentSubscription } from "./present-subscription.ts";
import { findInvoiceOfPeriod, findOpenPayment } from "./receivables.store.ts";
import { mailPrice } from "./set-price.ts";
import { findRunning, type SubscriptionRow } from "./subscriptions.store.ts";

/** A manager, who has an organization. */
type Caller = { organization: string };

/**
 * Lets an upfront plan end with its period, or restores it.
 * @throws AppError SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_ENDED, PLAN_HAS_NO_PERIOD, LICENSE_ENDS
 */
export async function editSubscription(
  deps: CollectDeps,
  { organization }: Caller,
  { uuid, cancel_at_period_end }: { uuid: string; cancel_at_period_end: boolean },
  by: By,
): Promise<Subscription> {
  return transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await running(work, uuid);
    if (plan.plan === "payg") throw new AppError("PLAN_HAS_NO_PERIOD");
    if (plan.cancel_at_period_end !== cancel_at_period_end) {
      await setCancelling(work, plan, cancel_at_period_end);
      if (!cancel_at_period_end) await mailPrice(work, plan);
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
  deps: CollectDeps,
  { organization }: Caller,
  uuid: string,
  by: By,
): Promise<Subscription> {
  return transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    await cancel(work, await running(work, uuid), by);
    return presentSubscription(await existing(trx, organization, uuid));
  });
}

/**
 * Cancels the plan of an organization for the operator, as a manager would. Whoever pays is notified.
 * @throws AppError ORGANIZATION_NOT_FOUND, SUBSCRIPTION_NOT_FOUND, OTHER_PLAN_ACTIVE
 */
export async function cancelPlan(
  { db, by, ...deps }: PlanDeps & { db: Database; by: By },
  organization: string,
): Promise<void> {
  await transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await findRunning(trx, organization);
    if (!plan) throw new AppError("SUBSCRIPTION_NOT_FOUND");
    if (plan.cancel_at_period_end) return;
    await cancel(work, plan, by);
    const [at, ends] = [work.now.toISOString(), plan.period_ends_at.toISOString()];
    await mailPlan(trx, deps.clock, { subscription: plan.uuid, at, ends, has_reason: by.reason !== undefined });
  });
}

async function cancel(work: PlanWork, plan: SubscriptionRow, by: By): Promise<void> {
  if (plan.status === "INCOMPLETE") await endUnconfirmed(work, plan);
  else if (plan.plan === "payg") await endPlan(work, plan, { isUnpaid: plan.status === "SUSPENDED" });
  else if (!plan.cancel_at_period_end) await setCancelling(work, plan, true);
  await work.audit.record(work.trx, by, {
    action: "subscription.cancel",
    subject: { kind: "subscription", uuid: plan.uuid },
    organization: plan.organization_uuid,
    details: { plan: plan.plan },
  });
}

/**
 * Ends a plan whose first payment was never confirmed.
 * @throws AppError OTHER_PLAN_ACTIVE while the provider has not reported the outcome
 */
export async function endUnconfirmed(work: PlanWork, plan: SubscriptionRow): Promise<void> {
  const invoice = await findInvoiceOfPeriod(work.trx, plan.uuid, plan.period_began_at);
  if (invoice && (await findOpenPayment(work.trx, invoice.uuid))?.outcome === "unknown")
    throw new AppError("OTHER_PLAN_ACTIVE");
  await endPlan(work, plan, { isUnpaid: false });
}

async function running({ trx, organization }: PlanWork, uuid: string): Promise<SubscriptionRow> {
  const row = await existing(trx, organization.uuid, uuid);
  if (row.ended_at) throw new AppError("SUBSCRIPTION_ENDED");
  return row;
}
