import { AppError } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { lockLimits } from "../organizations/limits.ts";
import { defaultCardOf, findCustomer } from "../payments/payments.ts";
import type { ChargeOutcome, PaymentProvider } from "../payments/payment-provider.ts";
import { refundRequest } from "./billing-requests.ts";
import {
  appendInvoiceStatus,
  findInvoice,
  findOpenPayment,
  findPayment,
  insertPayment,
  type InvoiceRow,
  type PaymentRow,
  updatePayment,
} from "./receivables.store.ts";
import { afterPaid, endPlan, noteDebt, type PlanDeps, type PlanWork } from "./plan-state.ts";
import { findSubscription } from "./subscriptions.store.ts";

export interface CollectDeps extends PlanDeps {
  db: Database;
  payments: PaymentProvider;
}

/** What can still be paid. */
export const payable: readonly InvoiceRow["status"][] = ["PENDING", "FAILED", "UNCOLLECTIBLE"];
const WITHOUT_CARD = "There is no card to pay with.";
const TOO_LITTLE = "The amount is too small to be charged.";
const UNCONFIRMED = "Your bank asks you to confirm this payment.";

/**
 * Charges an invoice once, however often it is called, by whom, and wherever it was killed: the attempt is a row before the provider is
 * asked under its uuid, and what is not answered is asked again. One that waits for the customer's confirmation is looked at instead.
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, PAYMENT_METHOD_MISSING
 * @throws Error if the provider does not answer; the attempt stays open
 */
export async function collectInvoice(deps: CollectDeps, uuid: string): Promise<ChargeOutcome> {
  const attempt = await openAttempt(deps, uuid);
  if (attempt === "nothing to pay") return { kind: "accepted", ref: "" };
  const { payment, invoice, customer } = attempt;
  const { ref } = payment;
  if (payment.outcome === "accepted") return { kind: "accepted", ref: ref ?? "" };
  const outcome =
    payment.outcome === "requires_action" && ref !== null
      ? await deps.payments.findCharge(ref)
      : await deps.payments.charge({
          customer,
          card: payment.card_ref,
          amount: payment.amount,
          currency: invoice.currency,
          invoice: { uuid, number: String(invoice.number) },
          key: payment.uuid,
        });
  await settlePayment(deps, payment.uuid, outcome);
  return outcome;
}

/** Looks what became of a payment that waits for the customer's confirmation. Nothing is charged, also if it was refused meanwhile. */
export async function lookAtPayment(deps: CollectDeps, uuid: string): Promise<void> {
  const payment = await findPayment(deps.db, uuid);
  if (payment?.outcome !== "requires_action" || payment.ref === null) return;
  await settlePayment(deps, uuid, await deps.payments.findCharge(payment.ref));
}

/** The attempt to pay an invoice that is under way, or a new one. */
async function openAttempt({ db, ...deps }: CollectDeps, uuid: string) {
  const known = await findInvoice(db, uuid);
  if (!known) throw new AppError("INVOICE_NOT_FOUND");
  return transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, known.organization_uuid);
    const invoice = (await findInvoice(trx, uuid)) ?? known;
    const open = await findOpenPayment(trx, uuid);
    const customer = await findCustomer(trx, known.organization_uuid, deps.payments.name);
    if (open) return { payment: open, invoice, customer: customer ?? "" };
    if (!payable.includes(invoice.status))
      throw new AppError("INVOICE_NOT_PAYABLE", { facts: { status: invoice.status } });
    if (invoice.amount < deps.payments.minimum) {
      await markPaid(work, invoice, invoice.amount > 0 ? TOO_LITTLE : "");
      return "nothing to pay";
    }
    const card = await defaultCardOf(trx, known.organization_uuid);
    if (!card || customer === undefined) throw new AppError("PAYMENT_METHOD_MISSING");
    const payment = {
      uuid: randomUUID(),
      invoice_uuid: uuid,
      card_uuid: card.uuid,
      card_ref: card.ref,
      amount: invoice.amount,
      created_at: work.now,
    };
    await insertPayment(trx, payment);
    return { payment: { ...payment, outcome: "unknown", ref: null } as const, invoice, customer };
  });
}

/**
 * Writes down what became of an attempt, and all that follows from it. To be called as often as one likes, also by the provider's own
 * messages: an attempt that was accepted or refused stays so.
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
    if (!payment || !invoice || payment.outcome === "accepted" || payment.outcome === "refused") return;
    await updatePayment(trx, uuid, { outcome: outcome.kind, ref: outcome.ref, answered_at: work.now });
    await follow(work, payment, invoice, outcome);
  });
}

async function follow(work: PlanWork, payment: PaymentRow, invoice: InvoiceRow, outcome: ChargeOutcome): Promise<void> {
  const { trx, clock, now } = work;
  const isPayable = payable.includes(invoice.status);
  if (outcome.kind === "accepted") {
    if (isPayable) return markPaid(work, invoice);
    // Nobody waited for the money any more.
    await enqueue(trx, clock, refundRequest, { payment: payment.uuid, note: null }, { key: payment.uuid });
    return;
  }
  if (!isPayable) return;
  const plan = invoice.subscription_uuid === null ? undefined : await findSubscription(trx, invoice.subscription_uuid);
  const isFirst = plan?.status === "INCOMPLETE";
  // The customer is at it.
  if (outcome.kind === "requires_action" && isFirst) return;
  const reason = outcome.kind === "refused" ? outcome.reason : UNCONFIRMED;
  if (invoice.status !== "FAILED" || outcome.kind === "refused")
    await appendInvoiceStatus(trx, invoice.uuid, { status: "FAILED", reason, at: now });
  if (isFirst) return endPlan(work, plan, { isUnpaid: false });
  await noteDebt(work);
}

/** Notes that an invoice is paid, and all that follows from it. */
export async function markPaid(work: PlanWork, invoice: InvoiceRow, reason = ""): Promise<void> {
  await appendInvoiceStatus(work.trx, invoice.uuid, { status: "ACCEPTED", reason, at: work.now });
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
    await noteDebt(work);
  });
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
