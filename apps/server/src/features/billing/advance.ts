import { type Offer, periodEnd, planStep, planTimes, renewalEnd } from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { byService } from "../audit/by.ts";
import { chargeRequest } from "./billing-requests.ts";
import { lockWork } from "./collect.ts";
import { findInvoiceOfPeriod, findOpenPayment, firstAsked } from "./receivables.store.ts";
import { issueUpfront } from "./issue-invoice.ts";
import { mailPlan } from "./mail-plan.ts";
import { currentOffer } from "./prices.ts";
import { usedMinutes } from "./minutes.ts";
import { listBeyond } from "./minutes.store.ts";
import {
  billUse,
  endPlan,
  movePlan,
  noteDebt,
  type PlanDeps,
  type PlanWork,
  readAt,
  reinstate,
  setCancelling,
  suspend,
} from "./plan-state.ts";
import { type Due, findSubscription, listDue, type SubscriptionRow } from "./subscriptions.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface AdvanceDeps extends PlanDeps {
  db: Database;
  /** What the settings say. */
  offer: Offer;
}

/** A subscription that may have something to do, and at how much pay-as-you-go is billed before its week is over. Cents. */
export interface Advancing extends Due {
  threshold: number;
}

/** The subscriptions that may have something to do, the oldest period first. */
export async function listAdvancing(deps: AdvanceDeps): Promise<Advancing[]> {
  const { db, clock, offer } = deps;
  const now = clock.now();
  const due = await listDue(db, new Date(now), new Date(now + planTimes.renewalDays * DAY_MS));
  const isDue = new Set(due.map(({ uuid }) => uuid));
  const { payg_threshold_cents: threshold } = await currentOffer(db, offer);
  const beyond = (await listBeyond(db, threshold, readAt(deps))).filter(({ uuid }) => !isDue.has(uuid));
  return [...due, ...beyond].map((each) => ({ ...each, threshold }));
}

/**
 * Does the next thing that is due of a subscription, in one transaction; returns whether there may be more. Whoever does so at once takes
 * turns, and finds it done: periods that were missed follow one after the other, each with its own days.
 */
export async function advance(deps: AdvanceDeps, { uuid, organization, threshold }: Advancing): Promise<boolean> {
  return transaction(deps.db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const plan = await findSubscription(trx, uuid);
    if (!plan || plan.ended_at) return false;
    if (plan.plan !== "payg") return (await renew(work, plan)) || advanceLife(work, plan);
    const billed = await billPeriod(work, plan, threshold);
    return billed.period_ends_at <= work.now || advanceLife(work, billed);
  });
}

/** Bills a week that is over, and in the last one use that comes to the threshold; returns the plan as it then is. */
async function billPeriod(work: PlanWork, plan: SubscriptionRow, threshold: number): Promise<SubscriptionRow> {
  const { trx, organization, now } = work;
  const billed = plan.period_ends_at <= now ? await billUse(work, plan, plan.period_ends_at) : plan;
  if (billed.period_ends_at <= now || billed.period_began_at >= now) return billed;
  const { minutes, free } = await usedMinutes(trx, organization, readAt(work), now);
  const isEnough = (minutes - free) * plan.price >= threshold;
  return isEnough ? billUse(work, billed, now) : billed;
}

/** The next period of an upfront plan is charged before this one ends. If that fails, the plan ends with it, but a day later at the earliest. */
async function renew(work: PlanWork, plan: SubscriptionRow): Promise<boolean> {
  if (plan.status === "INCOMPLETE") return false;
  const { trx, clock, now, organization } = work;
  const next = await findInvoiceOfPeriod(trx, plan.uuid, plan.period_ends_at);
  const leadMs = planTimes.renewalDays * DAY_MS;
  // A renewal that was called off and issued again gains nobody time, and costs what it did.
  const asked = plan.cancel_at_period_end ? next : await firstAsked(trx, plan.uuid, plan.period_ends_at);
  const end = renewalEnd(plan.period_ends_at, asked?.created_at);
  if (!next && !plan.cancel_at_period_end && !(asked && end <= now)) {
    if (plan.period_ends_at.getTime() - leadMs > now.getTime()) return false;
    const licenseEnds = organization.license_expires_at;
    if (licenseEnds && licenseEnds < periodEnd(plan.plan, plan.period_ends_at, plan.created_at)) {
      // The operator has set when the license ends, and nothing is charged for beyond.
      await setCancelling(work, plan, true);
      const [at, ends] = [now.toISOString(), plan.period_ends_at.toISOString()];
      await mailPlan(trx, clock, { subscription: plan.uuid, at, ends, has_reason: false });
      return true;
    }
    const invoice = await issueUpfront(work, { ...plan, price: plan.renewal.price }, plan.period_ends_at);
    await enqueue(trx, clock, chargeRequest, { invoice }, { key: invoice });
    return true;
  }
  if (end > now) return false;
  // The customer has done nothing wrong yet.
  if (next?.status === "PENDING" && next.due_at > now) return false;
  // What the provider was asked for, and has not answered, may be paid.
  if (next && (await findOpenPayment(trx, next.uuid))?.outcome === "unknown") return false;
  await endPlan(work, plan, { isUnpaid: false });
  await recordEnd(work, plan);
  return true;
}

async function advanceLife(work: PlanWork, plan: SubscriptionRow): Promise<boolean> {
  const { trx, now } = work;
  const overdue = await noteDebt(work);
  const overdueAt = overdue && overdue <= now ? overdue.getTime() : null;
  const event = planStep({ state: plan.status, since: plan.status_at.getTime(), overdueAt }, now.getTime());
  switch (event) {
    case "overdue":
      await movePlan(work, plan, event);
      return true;
    case "suspend":
      await suspend(work, plan);
      return true;
    case "paid":
      await reinstate(work, plan);
      return true;
    case "end": {
      if (plan.status === "INCOMPLETE") {
        const first = await findInvoiceOfPeriod(trx, plan.uuid, plan.period_began_at);
        if (first && (await findOpenPayment(trx, first.uuid))?.outcome === "unknown") return false;
      }
      await endPlan(work, plan, { isUnpaid: plan.status === "SUSPENDED" });
      await recordEnd(work, plan);
      return true;
    }
    default:
      return false;
  }
}

const recordEnd = ({ trx, audit, organization }: PlanWork, plan: SubscriptionRow): Promise<void> =>
  audit.record(trx, byService, {
    action: "subscription.cancel",
    subject: { kind: "subscription", uuid: plan.uuid },
    organization: organization.uuid,
    details: { plan: plan.plan },
  });
