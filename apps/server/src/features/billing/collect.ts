import { AppError } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { Logger } from "../../platform/log.ts";
import { byService } from "../audit/by.ts";
import { invoiceNumber } from "../invoices/invoice-number.ts";
import { chargedDetails } from "../invoices/present-invoice.ts";
import { lockLimits } from "../organizations/limits.ts";
import { defaultCardOf, findCustomer } from "../payments/payments.ts";
import { type ChargeOutcome, isNoCharge, noCharge, type PaymentProvider } from "../payments/payment-provider.ts";
import { lookRequest, refundRequest } from "./billing-requests.ts";
import { mailPlan } from "./mail-plan.ts";
import {
  appendInvoiceStatus,
  chargedFor,
  dueFor,
  findInvoice,
  findOpenPayment,
  findPayment,
  insertPayment,
  listForgotten,
  lockPayer,
  type InvoiceRow,
  paidAlso,
  payable,
  type PaymentRow,
  updatePayment,
} from "./receivables.store.ts";
import { afterPaid, endPlan, noteDebt, type PlanDeps, type PlanWork } from "./plan-state.ts";
import { findSubscription, type SubscriptionRow } from "./subscriptions.store.ts";

export interface CollectDeps extends PlanDeps {
  db: Database;
  payments: PaymentProvider;
}

const WITHOUT_CARD = "There is no card to pay with.";
const TOGETHER = "It is less than can be charged, and is charged together with the next invoice.";
const WRITTEN_OFF = "It is less than can be charged, and was written off.";
const CALLED_OFF = "It was called off before it was charged.";
const UNCONFIRMED = "Your bank asks you to confirm this payment.";
const TOO_LATE = "It came when there was nothing to pay any more.";
const MINUTE_MS = 60_000;
/** What was not found at the provider may have been on its way there: it is looked for again after these times. */
const LOOKED_AGAIN_MS = [10 * MINUTE_MS, 24 * 60 * MINUTE_MS];

/**
 * Charges an invoice once, however often it is called, by whom, and wherever it was killed: the attempt is a row before the provider is
 * asked under its uuid, and what is not answered is asked again. One that waits for the customer's confirmation is looked at instead, or
 * cancelled where they have chosen another card since.
 * @param total what it charges in all, in cents, as the customer has seen it
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, PAYMENT_METHOD_MISSING, PRICE_CHANGED if that is not what it charges by now
 * @throws Error, or AppError SERVICE_UNAVAILABLE, if the provider does not answer; the attempt stays open
 */
export async function collectInvoice(deps: CollectDeps, uuid: string, total?: number): Promise<ChargeOutcome> {
  const attempt = await openAttempt(deps, uuid, total);
  if (attempt === "nothing to pay") return { kind: "accepted", ref: "" };
  if (attempt === "waits") throw new AppError("INVOICE_NOT_PAYABLE");
  const { ref, outcome: before, uuid: payment } = attempt.payment;
  if (before === "accepted") return { kind: "accepted", ref: ref ?? "" };
  const { payments } = deps;
  const outcome =
    before === "requires_action" && ref !== null
      ? await (attempt.isGivenUp ? payments.cancelCharge(ref) : payments.findCharge(ref))
      : await charge(deps, attempt);
  await settlePayment(deps, payment, outcome);
  return attempt.isGivenUp && outcome.kind === "refused" ? collectInvoice(deps, uuid, total) : outcome;
}

/** Has the provider charge an attempt. One that was called off meanwhile is not charged, but may have been. */
async function charge({ payments }: CollectDeps, { payment, invoice, customer }: Attempt): Promise<ChargeOutcome> {
  const { uuid: key, card_ref: card, amount } = payment;
  const { uuid, number, currency } = invoice;
  if (payable.includes(invoice.status))
    return payments.charge({ customer, card, amount, currency, invoice: { uuid, number: String(number) }, key });
  const asked = await payments.findAsked(customer, key);
  return asked ?? { kind: "refused", ref: noCharge(key), reason: CALLED_OFF };
}

/**
 * Looks up the outcome of a payment that waits for the customer's confirmation, or of a charge that the provider has reported and that is
 * not the payment's, or was not found. Nothing is charged, even if it was refused meanwhile.
 */
export async function lookAtPayment(deps: CollectDeps, uuid: string, reported?: string): Promise<void> {
  const payment = await findPayment(deps.db, uuid);
  // While the answer is not there, whoever charges waits for it.
  if (!payment?.ref) return;
  const charge = reported ?? (isNoCharge(payment.ref) ? await findLate(deps, payment) : payment.ref);
  if (charge !== undefined && (charge !== payment.ref || payment.outcome === "requires_action"))
    await settlePayment(deps, uuid, await deps.payments.findCharge(charge));
}

/** The charge of a payment that was not found before. */
async function findLate({ db, payments }: CollectDeps, { uuid, invoice_uuid }: PaymentRow) {
  const invoice = await findInvoice(db, invoice_uuid);
  const customer = invoice && (await findCustomer(db, invoice.organization_uuid, payments.name));
  return customer === undefined ? undefined : (await payments.findAsked(customer, uuid))?.ref;
}

interface Attempt {
  payment: Pick<PaymentRow, "uuid" | "card_ref" | "amount" | "outcome" | "ref">;
  invoice: InvoiceRow;
  customer: string;
  /** Whether it waits for the bank of a card that is not the one to pay with any more. */
  isGivenUp?: boolean;
}

/** The attempt to pay an invoice that is under way, or a new one, which pays for those that wait for it, too. */
async function openAttempt(
  { db, ...deps }: CollectDeps,
  uuid: string,
  total: number | undefined,
): Promise<Attempt | "nothing to pay" | "waits"> {
  const refuseAnother = (amount: number) => {
    if (total !== undefined && total !== amount) throw new AppError("PRICE_CHANGED");
  };
  const known = await findInvoice(db, uuid);
  if (!known) throw new AppError("INVOICE_NOT_FOUND");
  return transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, known.organization_uuid);
    const invoice = (await findInvoice(trx, uuid)) ?? known;
    const open = await findOpenPayment(trx, uuid);
    const customer = await findCustomer(trx, known.organization_uuid, deps.payments.name);
    const card = await defaultCardOf(trx, known.organization_uuid);
    if (open) {
      refuseAnother(open.amount);
      const charged = (await findInvoice(trx, open.invoice_uuid)) ?? invoice;
      // A plan that waits for its first payment would end with it.
      const isGivenUp =
        open.outcome === "requires_action" && charged.status === "FAILED" && card && card.ref !== open.card_ref;
      return { payment: open, invoice: charged, customer: customer ?? "", isGivenUp: Boolean(isGivenUp) };
    }
    if (!payable.includes(invoice.status))
      throw new AppError("INVOICE_NOT_PAYABLE", { facts: { status: invoice.status } });
    const due = await dueFor(trx, invoice);
    const charged = chargedFor(invoice, due, deps.payments.minimum);
    if (!charged) {
      if (invoice.amount > 0 && invoice.usage_type === "metered") {
        if (due.waits) return "waits";
        await appendInvoiceStatus(trx, uuid, { status: "PENDING", reason: TOGETHER, waits: true, at: work.now });
        await noteDebt(work);
        return "waits";
      }
      // No plan that is paid in advance waits for what cannot be charged. That is no payment, which could be paid back.
      const status = invoice.amount > 0 ? "VOID" : "ACCEPTED";
      await closeInvoice(work, invoice, { status, reason: status === "VOID" ? WRITTEN_OFF : "" });
      return "nothing to pay";
    }
    refuseAnother(charged.amount);
    if (!card || customer === undefined) throw new AppError("PAYMENT_METHOD_MISSING");
    const payment = {
      uuid: randomUUID(),
      invoice_uuid: uuid,
      card_uuid: card.uuid,
      card_ref: card.ref,
      amount: charged.amount,
      also_pays: charged.also_pays.map((one) => one.uuid),
      created_at: work.now,
    };
    await insertPayment(trx, payment);
    return { payment: { ...payment, outcome: "unknown", ref: null } as const, invoice, customer };
  });
}

/**
 * Records the outcome of an attempt, and all that follows from it. May be called any number of times, also for the provider's messages: an
 * attempt that was accepted or refused stays so. Money that comes for it all the same pays what is still open, or is refunded.
 */
export async function settlePayment(
  { db, ...deps }: Omit<CollectDeps, "payments">,
  uuid: string,
  outcome: ChargeOutcome,
): Promise<void> {
  const known = await findPayment(db, uuid);
  const organization = known && (await findInvoice(db, known.invoice_uuid))?.organization_uuid;
  if (!known || !organization) return;
  await transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, organization);
    const payment = await findPayment(trx, uuid);
    const invoice = await findInvoice(trx, known.invoice_uuid);
    if (!payment || !invoice) return;
    if (payment.outcome === "accepted" || payment.outcome === "refused")
      return outcome.ref === payment.ref ? undefined : followLate(work, payment, invoice, outcome);
    await updatePayment(trx, uuid, { outcome: outcome.kind, ref: outcome.ref, answered_at: work.now });
    if (isNoCharge(outcome.ref))
      for (const [index, afterMs] of LOOKED_AGAIN_MS.entries()) {
        const dueAt = new Date(work.now.getTime() + afterMs);
        await enqueue(trx, work.clock, lookRequest, { payment: uuid }, { key: `${uuid} ${index}`, dueAt });
      }
    await follow(work, payment, invoice, outcome);
  });
}

/** What follows from a charge that was made after it was not found, or beside another. */
async function followLate(work: PlanWork, payment: PaymentRow, invoice: InvoiceRow, outcome: ChargeOutcome) {
  const { trx, now } = work;
  const { kind: asked, ref } = outcome;
  if (payment.outcome === "accepted") {
    if (asked === "accepted") await payBack(work, payment, invoice, ref);
    return;
  }
  const open = await findOpenPayment(trx, invoice.uuid);
  if (asked === "requires_action") {
    // Nobody waits for it, but the customer can still confirm it.
    if (!open && !payable.includes(invoice.status))
      await updatePayment(trx, payment.uuid, { outcome: asked, ref, answered_at: now });
    return;
  }
  const owed = [];
  for (const uuid of [invoice.uuid, ...payment.also_pays]) {
    const one = await findInvoice(trx, uuid);
    if (one && payable.includes(one.status) && !(await findOpenPayment(trx, uuid))) owed.push(one);
  }
  const isOwed = asked === "accepted" && owed.length > payment.also_pays.length;
  if (isOwed || isNoCharge(payment.ref))
    await updatePayment(trx, payment.uuid, { outcome: isOwed ? asked : "refused", ref, answered_at: now });
  if (asked !== "accepted") return;
  if (!isOwed) return payBack(work, payment, invoice, ref);
  for (const one of owed) await closeInvoice(work, one);
  const charged = { amount: payment.amount, also_pays: await paidAlso(trx, payment) };
  await record(work, invoice, "invoice.pay", { outcome: asked, ...chargedDetails(charged) });
}

/** Has a charge paid back that nobody waited for. */
async function payBack(work: PlanWork, { uuid: payment, amount }: PaymentRow, invoice: InvoiceRow, charge: string) {
  if (await enqueue(work.trx, work.clock, refundRequest, { payment, note: null, charge }, { key: charge }))
    await record(work, invoice, "invoice.refund", { amount, reason: TOO_LATE });
}

const record = (
  { trx, audit, organization }: PlanWork,
  { uuid, number }: InvoiceRow,
  action: "invoice.pay" | "invoice.refund",
  details: Record<string, string | number>,
): Promise<void> =>
  audit.record(trx, byService, {
    action,
    subject: { kind: "invoice", uuid },
    organization: organization.uuid,
    details: { number: invoiceNumber(number), ...details },
  });

async function follow(work: PlanWork, payment: PaymentRow, invoice: InvoiceRow, outcome: ChargeOutcome): Promise<void> {
  const { trx, now } = work;
  const isPayable = payable.includes(invoice.status);
  if (outcome.kind === "accepted") {
    if (isPayable) {
      for (const uuid of [invoice.uuid, ...payment.also_pays]) {
        const paid = await findInvoice(trx, uuid);
        if (paid) await closeInvoice(work, paid);
      }
      return;
    }
    // Nobody waited for the money any more. What was to be paid with it waits on, and this is no payment, which could be paid back again.
    await updatePayment(trx, payment.uuid, { outcome: "refused", also_pays: [] });
    return payBack(work, payment, invoice, outcome.ref);
  }
  if (!isPayable) return;
  const plan = invoice.subscription_uuid === null ? undefined : await findSubscription(trx, invoice.subscription_uuid);
  const isFirst = plan?.status === "INCOMPLETE";
  // The customer is at it.
  if (outcome.kind === "requires_action" && isFirst) return;
  const reason = outcome.kind === "refused" ? outcome.reason : UNCONFIRMED;
  if (invoice.status !== "FAILED" || outcome.kind === "refused")
    await appendInvoiceStatus(trx, invoice.uuid, { status: "FAILED", reason, at: now });
  if (invoice.status !== "FAILED" && plan && !isFirst) await mailRefusal(work, plan, invoice, reason);
  if (isFirst) return endPlan(work, plan, { isUnpaid: false });
  await noteDebt(work);
}

/** Notes that an invoice is paid, or that nothing is to be paid for it, and all that follows from it. */
export async function closeInvoice(
  work: PlanWork,
  invoice: InvoiceRow,
  { status = "ACCEPTED", reason = "" }: { status?: "ACCEPTED" | "VOID"; reason?: string } = {},
): Promise<void> {
  await appendInvoiceStatus(work.trx, invoice.uuid, { status, reason, at: work.now });
  const plan =
    invoice.subscription_uuid === null ? undefined : await findSubscription(work.trx, invoice.subscription_uuid);
  await afterPaid(work, plan, invoice);
}

/** An invoice that nothing can be charged for is as one whose payment failed. */
export async function failWithoutCard({ db, ...deps }: CollectDeps, uuid: string): Promise<void> {
  const known = await findInvoice(db, uuid);
  if (!known) return;
  await transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, known.organization_uuid);
    if ((await findInvoice(trx, uuid))?.status !== "PENDING" || (await findOpenPayment(trx, uuid))) return;
    await appendInvoiceStatus(trx, uuid, { status: "FAILED", reason: WITHOUT_CARD, at: work.now });
    const plan = known.subscription_uuid === null ? undefined : await findSubscription(trx, known.subscription_uuid);
    if (plan) await mailRefusal(work, plan, known, WITHOUT_CARD);
    await noteDebt(work);
  });
}

/** Notifies whoever pays if the failed charge was for the renewal of a plan, which ends without it. */
async function mailRefusal({ trx, clock, now }: PlanWork, plan: SubscriptionRow, invoice: InvoiceRow, reason: string) {
  if (invoice.period_began_at < plan.period_ends_at) return;
  await mailPlan(trx, clock, { subscription: plan.uuid, at: now.toISOString(), renewal: invoice.uuid, reason });
}

/**
 * Writes off what is less than can be charged, and waits for an invoice that will not come: it is due, and there is no plan, and no invoice
 * that may still be paid. It is void, and says so.
 */
export async function writeOff({ db, clock, log }: Pick<CollectDeps, "db" | "clock"> & { log: Logger }): Promise<void> {
  const now = new Date(clock.now());
  const organizations = new Set((await listForgotten(db, now)).map(({ organization_uuid }) => organization_uuid));
  for (const organization of organizations) {
    const work = transaction(db, async (trx) => {
      await lockPayer(trx, organization);
      for (const { uuid } of await listForgotten(trx, now, organization))
        await appendInvoiceStatus(trx, uuid, { status: "VOID", reason: WRITTEN_OFF, at: now });
    });
    await work.catch((error: unknown) =>
      log.error({ err: error, organization }, "what is too little could not be written off and will be tried again"),
    );
  }
}

/** What is done to the plan of an organization, one after the other, by whoever it is. */
export async function lockWork(
  trx: Database,
  { clock, audit, taxes, measuredBy }: PlanDeps,
  organization: string,
): Promise<PlanWork> {
  return {
    trx,
    clock,
    audit,
    taxes,
    measuredBy,
    organization: await lockLimits(trx, organization),
    now: new Date(clock.now()),
  };
}
