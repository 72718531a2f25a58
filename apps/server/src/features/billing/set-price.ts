import { AppError, type Plan } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { By } from "../audit/by.ts";
import { lockWork } from "./collect.ts";
import { mailPlan } from "./mail-plan.ts";
import { billWeeks, type PlanDeps, type PlanWork } from "./plan-state.ts";
import { firstAsked } from "./receivables.store.ts";
import { findRunning, type SubscriptionRow, updateSubscription } from "./subscriptions.store.ts";

/**
 * Agrees on another price for the plan of an organization. What was used by the minute until now is billed at the price before; an upfront
 * plan has it from its next invoice on.
 * @param price cents of a minute, or of a device for a period
 * @param only leaves alone whoever has another plan, or another price, by now
 * @throws AppError ORGANIZATION_NOT_FOUND, SUBSCRIPTION_NOT_FOUND if it has no plan that has begun
 */
export async function setPrice(
  { db, by, ...deps }: PlanDeps & { db: Database; by: By },
  organization: string,
  price: number,
  only?: { plan: Plan; was: number },
): Promise<void> {
  await transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await findRunning(trx, organization);
    if (!plan || plan.status === "INCOMPLETE") throw new AppError("SUBSCRIPTION_NOT_FOUND");
    if (only && (plan.plan !== only.plan || plan.price !== only.was)) return;
    if (plan.price === price) return;
    if (plan.plan === "payg") await billWeeks(work, plan, work.now);
    await updateSubscription(trx, plan.uuid, { price, ...(plan.told_price === null && { told_price: plan.price }) });
    // Whoever has let it end is notified if it is restored.
    if (!plan.cancel_at_period_end) await mailPrice(work, { ...plan, price });
    await deps.audit.record(trx, by, {
      action: "subscription.set_price",
      subject: { kind: "subscription", uuid: plan.uuid },
      organization,
      details: { plan: plan.plan, before: plan.price, price },
    });
  });
}

/** Notifies whoever pays of the price from the first period on that was not billed yet, unless the last notice had the same price. */
export async function mailPrice({ trx, clock, now }: PlanWork, plan: SubscriptionRow): Promise<void> {
  const { uuid: subscription, price, period_ends_at } = plan;
  const next = await firstAsked(trx, subscription, period_ends_at);
  const from = plan.plan === "payg" ? now : (next?.period_ended_at ?? period_ends_at);
  await mailPlan(trx, clock, { subscription, at: now.toISOString(), price, from: from.toISOString() });
}
