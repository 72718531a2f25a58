import type { Clock } from "@terrarium/clock";
import { periodEnd, planTimes, taxOn } from "@terrarium/contract";
import type { Insertable } from "kysely";
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/schema.ts";
import { mailInvoice } from "../invoices/mail-invoice.ts";
import { taxOf } from "../payments/tax.ts";
import type { InvoiceTable } from "./billing.tables.ts";
import { insertInvoice, insertLine } from "./receivables.store.ts";
import type { PlanWork } from "./plan-state.ts";
import type { SubscriptionRow } from "./subscriptions.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface Bill {
  uuid: string;
  plan: SubscriptionRow;
  period: { began: Date; ended: Date };
  /** Cents, without tax. */
  net: number;
  /** Free minutes that the period took from the balance. */
  balanceUsed: number;
}

/**
 * Writes an invoice in the transaction with what it bills, after its lines, which are for the caller to write. It is due in 30
 * days, and its number is the one after the last.
 */
export async function issueInvoice(
  { trx, clock, organization, now, taxes }: PlanWork,
  { uuid, plan, period, net, balanceUsed }: Bill,
): Promise<void> {
  const rate = taxOf(organization, taxes.sellerCountry);
  const tax = taxOn(net, rate);
  await writeInvoice(trx, clock, {
    uuid,
    organization_uuid: organization.uuid,
    subscription_uuid: plan.uuid,
    nature: "SUBSCRIPTION",
    refunds_uuid: null,
    usage_type: plan.plan === "payg" ? "metered" : "licensed",
    period_began_at: period.began,
    period_ended_at: period.ended,
    currency: plan.currency,
    net,
    tax,
    amount: net + tax,
    tax_rate: JSON.stringify(rate),
    balance_used: balanceUsed,
    bill_to: JSON.stringify({
      name: organization.name,
      company_name: organization.company_name,
      vat_number: organization.vat_number,
      email: organization.additional_billing_contact_email,
      address: organization.address,
    }),
    created_at: now,
    due_at: new Date(now.getTime() + planTimes.dueDays * DAY_MS),
  });
}

/** Writes an invoice or a credit note, PENDING, with the next number, which it returns, and has it mailed. */
export async function writeInvoice(
  trx: Database,
  clock: Clock,
  row: Omit<Insertable<InvoiceTable>, "number">,
): Promise<number> {
  await mailInvoice(trx, clock, row.uuid);
  return insertInvoice(trx, row);
}

/** Writes the invoice for the period of an upfront plan that begins at a time; returns its uuid. */
export async function issueUpfront(work: PlanWork, plan: SubscriptionRow, began: Date): Promise<string> {
  const { quantity, price } = plan;
  const period = { began, ended: periodEnd(plan.plan, began, plan.created_at) };
  const net = quantity * price;
  const uuid = randomUUID();
  await insertLine(work.trx, {
    invoice_uuid: uuid,
    position: 1,
    description: plan.plan === "annual" ? "Unlimited, annual" : "Unlimited, monthly",
    began_at: period.began,
    ended_at: period.ended,
    quantity,
    price,
    amount: net,
  });
  await issueInvoice(work, { uuid, plan, period, net, balanceUsed: 0 });
  return uuid;
}
