import type { Clock } from "@terrarium/clock";
import { randomUUID } from "node:crypto";
import {
  AppError,
  nextPlanState,
  periodEnd,
  type PlanEvent,
  statesThatTake,
  type SubscriptionState,
} from "@terrarium/contract";
import type { Database } from "../../database/schema.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { Audit } from "../audit/audit.ts";
import { moveInstance } from "../instances/move-instance.ts";
import type { TaxSettings } from "../payments/tax.ts";
import type { OrganizationRow } from "../organizations/limits.ts";
import { setOrganization } from "../organizations/change-organization.ts";
import { chargeRequest } from "./billing-requests.ts";
import { appendInvoiceStatus, callOffInvoice, findInvoiceOfPeriod, listUnpaid } from "./receivables.store.ts";
import { issueInvoice } from "./issue-invoice.ts";
import { mailPlan } from "./mail-plan.ts";
import { settle, settleAndCover } from "./minutes.ts";
import { listDevices } from "./minutes.store.ts";
import { appendStatus, type SubscriptionRow, updateSubscription } from "./subscriptions.store.ts";

export interface PlanDeps {
  clock: Clock;
  audit: Audit;
  taxes: TaxSettings;
  /** By which devices were measured, where a dry run looks at a later time. */
  measuredBy?: Clock | undefined;
}

/** When it is read what devices have used. */
export const readAt = ({ clock, measuredBy = clock }: Pick<PlanDeps, "clock" | "measuredBy">): Date =>
  new Date(measuredBy.now());

/** What is done to a plan, in a transaction that has locked its organization. */
export interface PlanWork extends PlanDeps {
  trx: Database;
  organization: OrganizationRow;
  now: Date;
}

/** Records an event in a plan's life, and notifies whoever pays. @throws Error if the plan does not take it */
export async function movePlan({ trx, clock, now }: PlanWork, plan: SubscriptionRow, event: PlanEvent): Promise<void> {
  const status = nextPlanState(plan.status, event);
  if (!status) throw new Error(`a plan that is ${plan.status} takes no ${event}`);
  const { cancel_at_period_end } = plan;
  await appendStatus(trx, plan.uuid, { status, cancel_at_period_end, at: now });
  await mailPlan(trx, clock, { subscription: plan.uuid, status, before: plan.status, at: now.toISOString() });
}

/** A plan that is paid in advance begins: its organization has its number of devices, and minutes do not count. */
export async function activate(work: PlanWork, plan: SubscriptionRow): Promise<void> {
  const { trx, organization, now } = work;
  // What the operator has set while the customer confirmed the payment holds again as well.
  const { instances_max: devices_before, license_expires_at: license_ends_before } = organization;
  await updateSubscription(trx, plan.uuid, { devices_before, license_ends_before });
  // Those that began while the customer confirmed the payment, and are more than it is for.
  const all = await listDevices(trx, organization.uuid, statesThatTake("stop"));
  const devices = all.filter(({ waits }) => !waits);
  for (const { uuid } of devices.slice(plan.quantity))
    await moveInstance(trx, { uuid, event: "stop", reason: "plan_ended", now });
  await settleAndCover(trx, organization, now);
  await setOrganization(trx, organization.uuid, {
    license_type: "fixed",
    is_unpaid: false,
    license_expires_at: null,
    instances_max: plan.quantity,
  });
  await movePlan(work, plan, "paid");
}

/** No device starts until what is due is paid. `stopUncovered` stops those that run. */
export async function suspend(work: PlanWork, plan: SubscriptionRow): Promise<void> {
  await setOrganization(work.trx, work.organization.uuid, { is_unpaid: true });
  await movePlan(work, plan, "suspend");
}

/**
 * Bills what the devices of a pay-as-you-go plan have used until a time; returns the plan with the new period, which begins there. Without
 * any use there is no invoice.
 */
export async function billUse(work: PlanWork, plan: SubscriptionRow, until: Date): Promise<SubscriptionRow> {
  const { trx, clock, organization } = work;
  const { price, period_began_at: began } = plan;
  const uuid = randomUUID();
  const { minutes, free } = await settle(trx, organization, {
    until,
    now: readAt(work),
    bill: { invoice: uuid, price },
  });
  const next = until > began ? { period_began_at: until, period_ends_at: periodEnd("payg", until) } : undefined;
  if (next) await updateSubscription(trx, plan.uuid, next);
  if (minutes > 0) {
    await enqueue(trx, clock, chargeRequest, { invoice: uuid }, { key: uuid });
    const net = (minutes - free) * price;
    await issueInvoice(work, { uuid, plan, period: { began, ended: until }, net, balanceUsed: free });
  }
  return { ...plan, ...next };
}

/** Bills the weeks of a pay-as-you-go plan that were missed, and what was used in the last one until now. */
export async function billWeeks(work: PlanWork, plan: SubscriptionRow, now: Date): Promise<void> {
  let billed = plan;
  while (billed.period_ends_at < now) billed = await billUse(work, billed, billed.period_ends_at);
  await billUse(work, billed, now);
}

/**
 * Ends a plan. What was used is billed; an invoice for a period that never begins is void. Devices that pay by the minute stop at once, as
 * whoever ends such a plan has said; `stopUncovered` stops those that were paid in advance. After a plan that was not paid, no device
 * starts until there is another one.
 */
export async function endPlan(
  work: PlanWork,
  plan: SubscriptionRow,
  { isUnpaid }: { isUnpaid: boolean },
): Promise<void> {
  const { trx, organization, now } = work;
  const isUpfront = plan.plan !== "payg";
  const hasBegun = plan.status !== "INCOMPLETE";
  if (hasBegun) {
    if (!isUpfront) {
      for (const { uuid } of await listDevices(trx, organization.uuid, statesThatTake("stop")))
        await moveInstance(trx, { uuid, event: "stop", reason: "plan_ended", now });
      await billWeeks(work, plan, now);
    }
    // What the operator has set meanwhile stays.
    const { license_expires_at, instances_max } = organization;
    await setOrganization(trx, organization.uuid, {
      license_type: "pending",
      is_unpaid: isUnpaid,
      license_expires_at: license_expires_at ?? plan.license_ends_before,
      ...(isUpfront && instances_max === plan.quantity && { instances_max: plan.devices_before }),
    });
  }
  if (isUpfront) {
    const next = await findInvoiceOfPeriod(trx, plan.uuid, hasBegun ? plan.period_ends_at : plan.period_began_at);
    if (next && next.status !== "ACCEPTED") await appendInvoiceStatus(trx, next.uuid, { status: "VOID", at: now });
  }
  await updateSubscription(trx, plan.uuid, { ended_at: now });
  await movePlan(work, plan, "end");
  await noteDebt(work);
}

/** Lets an upfront plan end with its period, or restores it. A renewal that was not paid yet is called off: a plan that is restored has another. @throws AppError LICENSE_ENDS */
export async function setCancelling(
  { trx, organization, now }: PlanWork,
  plan: SubscriptionRow,
  cancel_at_period_end: boolean,
): Promise<void> {
  // The operator has set when the license ends, and nothing is charged for beyond.
  if (!cancel_at_period_end && organization.license_expires_at !== null) throw new AppError("LICENSE_ENDS");
  await appendStatus(trx, plan.uuid, { status: plan.status, cancel_at_period_end, at: now });
  const next = cancel_at_period_end && (await findInvoiceOfPeriod(trx, plan.uuid, plan.period_ends_at));
  if (next && next.status !== "ACCEPTED") await callOffInvoice(trx, next.uuid, now);
}

/** When the oldest invoice of an organization that is not for a renewal is overdue, or will be; whoever has one that is, is a debtor. */
export async function noteDebt({ trx, organization, now }: PlanWork): Promise<Date | null> {
  const owed = (await listUnpaid(trx, organization.uuid)).find(({ is_renewal }) => !is_renewal);
  const is_debtor = owed !== undefined && owed.overdue_at <= now;
  if (is_debtor !== organization.is_debtor) await setOrganization(trx, organization.uuid, { is_debtor });
  organization.is_debtor = is_debtor;
  return owed?.overdue_at ?? null;
}

/** What a payment changes: a plan begins, is renewed, or is no longer overdue. */
export async function afterPaid(
  work: PlanWork,
  plan: SubscriptionRow | undefined,
  period: { period_began_at: Date; period_ended_at: Date },
): Promise<void> {
  const { trx, now } = work;
  const isRunning = plan && plan.ended_at === null;
  if (isRunning && plan.status === "INCOMPLETE") await activate(work, plan);
  else if (isRunning && plan.plan !== "payg" && period.period_began_at >= plan.period_ends_at)
    await updateSubscription(trx, plan.uuid, {
      period_began_at: period.period_began_at,
      period_ends_at: period.period_ended_at,
    });
  const overdue = await noteDebt(work);
  const late: readonly SubscriptionState[] = ["OVERDUE", "SUSPENDED"];
  if (isRunning && late.includes(plan.status) && !(overdue && overdue <= now)) await reinstate(work, plan);
}

/** All that was due is paid. */
export async function reinstate(work: PlanWork, plan: SubscriptionRow): Promise<void> {
  const { trx, organization } = work;
  if (plan.status === "SUSPENDED") await setOrganization(trx, organization.uuid, { is_unpaid: false });
  await movePlan(work, plan, "paid");
}
