import { ShiftedClock } from "@terrarium/clock";
import { AppError, limits } from "@terrarium/contract";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import type { By } from "../audit/by.ts";
import { invoiceNumber } from "../invoices/invoice-number.ts";
import { advance, type AdvanceDeps, type Advancing, listAdvancing } from "./advance.ts";
import { refundRequest } from "./billing-requests.ts";
import { closeInvoice, lockWork } from "./collect.ts";
import {
  appendInvoiceStatus,
  findInvoice,
  findInvoiceCalled,
  findOpenPayment,
  insertLine,
  type InvoiceRow,
  type IssuedInvoice,
  lastInvoiceNumber,
  listIssuedAfter,
  payable,
} from "./receivables.store.ts";
import { writeInvoice } from "./issue-invoice.ts";
import type { PlanDeps } from "./plan-state.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

interface OperateDeps extends PlanDeps {
  db: Database;
  by: By;
}

/** The invoice that the operator calls by its number or its uuid. @throws AppError INVOICE_NOT_FOUND */
async function invoiceCalled(db: Database, called: string): Promise<InvoiceRow> {
  const uuid = await findInvoiceCalled(db, called);
  const invoice = uuid === undefined ? undefined : await findInvoice(db, uuid);
  if (invoice?.nature !== "SUBSCRIPTION") throw new AppError("INVOICE_NOT_FOUND");
  return invoice;
}

/**
 * Notes that an invoice was paid outside of the payment provider, with all that follows.
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, also while the provider is asked for the money
 */
export async function markInvoicePaid({ db, by, ...deps }: OperateDeps, called: string, reason: string): Promise<void> {
  const known = await invoiceCalled(db, called);
  await transaction(db, async (trx) => {
    const work = await lockWork(trx, deps, known.organization_uuid);
    const invoice = await findInvoice(trx, known.uuid);
    const isPayable = invoice && payable.includes(invoice.status);
    const open = await findOpenPayment(trx, known.uuid);
    // Also while it is charged together with another.
    const isAsked = open && (open.outcome === "unknown" || open.invoice_uuid !== known.uuid);
    if (!isPayable || isAsked) throw new AppError("INVOICE_NOT_PAYABLE");
    await closeInvoice(work, invoice, { reason });
    await deps.audit.record(trx, by, {
      action: "invoice.mark_paid",
      subject: { kind: "invoice", uuid: known.uuid },
      organization: known.organization_uuid,
      details: { number: known.number, reason },
    });
  });
}

/**
 * Pays an invoice back, all of it or a part, with a credit note; the provider is asked by a job. Once for each invoice.
 * @param amount cents, with tax
 * @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_REFUNDABLE
 */
export async function refundInvoice(
  { db, by, ...deps }: OperateDeps,
  called: string,
  amount?: number,
): Promise<{ number: number; amount: number }> {
  const known = await invoiceCalled(db, called);
  return transaction(db, async (trx) => {
    const { now } = await lockWork(trx, deps, known.organization_uuid);
    const invoice = (await findInvoice(trx, known.uuid)) ?? known;
    const back = amount ?? invoice.amount;
    const isRefundable =
      invoice.status === "ACCEPTED" &&
      Number.isInteger(back) &&
      back > 0 &&
      back <= invoice.amount &&
      !invoice.credit_note;
    if (!isRefundable) throw new AppError("INVOICE_NOT_REFUNDABLE");
    const tax = Math.round((invoice.tax * back) / invoice.amount);
    const uuid = randomUUID();
    const { credit_note: _, status: __, tax_rate, bill_to, ...same } = invoice;
    const number = await writeInvoice(trx, deps.clock, {
      ...same,
      tax_rate: JSON.stringify(tax_rate),
      bill_to: JSON.stringify(bill_to),
      uuid,
      nature: "CREDIT",
      refunds_uuid: invoice.uuid,
      net: tax - back,
      tax: -tax,
      amount: -back,
      balance_used: 0,
      created_at: now,
      due_at: now,
    });
    await insertLine(trx, {
      invoice_uuid: uuid,
      position: 1,
      description: `Refund of invoice ${invoiceNumber(invoice.number)}`,
      began_at: invoice.period_began_at,
      ended_at: invoice.period_ended_at,
      quantity: 1,
      price: tax - back,
      amount: tax - back,
    });
    const payment = await findOpenPayment(trx, invoice.uuid);
    if (payment?.outcome === "accepted")
      await enqueue(trx, deps.clock, refundRequest, { payment: payment.uuid, note: uuid }, { key: uuid });
    // What did not come through the provider is paid back in the same way.
    else await appendInvoiceStatus(trx, uuid, { status: "ACCEPTED", at: now });
    await deps.audit.record(trx, by, {
      action: "invoice.refund",
      subject: { kind: "invoice", uuid: invoice.uuid },
      organization: invoice.organization_uuid,
      details: { number: invoice.number, amount: back },
    });
    return { number, amount: back };
  });
}

/** The provider has paid back what a credit note says. */
export async function completeRefund(
  { db, ...deps }: PlanDeps & { db: Database },
  { uuid, organization_uuid }: InvoiceRow,
): Promise<void> {
  await transaction(db, async (trx) => {
    const { now } = await lockWork(trx, deps, organization_uuid);
    if ((await findInvoice(trx, uuid))?.status === "PENDING")
      await appendInvoiceStatus(trx, uuid, { status: "ACCEPTED", at: now });
  });
}

/** Whoever is asked for a dry run sees what would be, and nothing is. */
class DryRun extends Error {}

/** Does all that is due of a plan; returns the invoices. */
async function billPlan(deps: AdvanceDeps, due: Advancing): Promise<IssuedInvoice[]> {
  const before = await lastInvoiceNumber(deps.db);
  while (await advance(deps, due));
  return listIssuedAfter(deps.db, before, due.uuid);
}

/** Bills what is due by now; returns the invoices. What fails for one plan does not hold up the others, and is thrown after them. */
export async function billDue({ by, ...deps }: AdvanceDeps & { by: By }): Promise<IssuedInvoice[]> {
  const issued: IssuedInvoice[] = [];
  const errors: unknown[] = [];
  for (const due of await listAdvancing(deps))
    await billPlan(deps, due).then(
      (invoices) => issued.push(...invoices),
      (error: unknown) => errors.push(error),
    );
  await deps.audit.record(deps.db, by, { action: "billing.run", details: { invoices: issued.length } });
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} plans could not be billed`);
  return issued;
}

/**
 * What `billDue` would issue now, or at a later time if nothing else happened until then. Nothing is written: each plan's invoices are
 * numbered as if it were alone.
 * @param until at most `limits.dryRunDays` from now; no earlier than now
 */
export async function showDue(deps: AdvanceDeps, until?: Date): Promise<IssuedInvoice[]> {
  const clock = new ShiftedClock(deps.clock);
  const aheadMs = until ? until.getTime() - deps.clock.now() : 0;
  clock.shiftTo(Math.min(Math.max(0, aheadMs), limits.dryRunDays * DAY_MS));
  const issued: IssuedInvoice[] = [];
  // Nobody has measured until then: devices are as they are now.
  const then = { ...deps, clock, measuredBy: deps.clock };
  for (const due of await listAdvancing(then))
    await transaction(deps.db, async (db) => {
      issued.push(...(await billPlan({ ...then, db }, due)));
      throw new DryRun();
    }).catch((error: unknown) => {
      if (!(error instanceof DryRun)) throw error;
    });
  return issued;
}
