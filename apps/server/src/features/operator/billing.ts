import type { Answer, BillingRun, OperatedBilling, operatorBilling, Received } from "@terrarium/contract";
import { limits } from "@terrarium/contract";
import { pageOf } from "../../platform/http/pages.ts";
import type { By } from "../audit/by.ts";
import type { AdvanceDeps } from "../billing/advance.ts";
import { grantMinutes } from "../billing/minutes.ts";
import { billDue, markInvoicePaid, refundInvoice, showDue } from "../billing/operate-invoices.ts";
import { setPrice } from "../billing/set-price.ts";
import { cancelPlan } from "../billing/cancel-plan.ts";
import { balanceOf, currentSubscription } from "../billing/subscriptions.ts";
import { invoiceNumber } from "../invoices/invoice-number.ts";
import { listInvoices as listPage } from "../invoices/invoices.ts";
import { setTerms } from "../organizations/set-terms.ts";
import { taxOf } from "../payments/tax.ts";
import { operatedRow } from "./organizations.ts";

export type BillingDeps = AdvanceDeps & { pagesAt: () => string };

type Routes = typeof operatorBilling;

/** How an organization pays. @throws AppError ORGANIZATION_NOT_FOUND */
export async function getBilling(deps: BillingDeps, organization: string): Promise<OperatedBilling> {
  const row = await operatedRow(deps, organization);
  return {
    is_debtor: row.is_debtor,
    tax_rate: taxOf(row, deps.taxes.sellerCountry),
    own_tax: row.tax_percentage,
    balance: await balanceOf(deps, { organization }),
    plan: await currentSubscription(deps.db, organization),
  };
}

/** A page of the invoices of an organization. @throws AppError ORGANIZATION_NOT_FOUND */
export async function listInvoices(
  deps: BillingDeps,
  organization: string,
  query: Received<Routes["invoices"]>["query"],
  url: string,
): Promise<Answer<Routes["invoices"]>> {
  await operatedRow(deps, organization);
  return pageOf(await listPage(deps, organization, query), query, url);
}

/** @throws AppError ORGANIZATION_NOT_FOUND, SUBSCRIPTION_NOT_FOUND */
export async function changePrice(
  deps: BillingDeps,
  organization: string,
  price: number,
  by: By,
): Promise<OperatedBilling> {
  await setPrice({ ...deps, by }, organization, price);
  return getBilling(deps, organization);
}

/** @throws AppError ORGANIZATION_NOT_FOUND, SUBSCRIPTION_NOT_FOUND, OTHER_PLAN_ACTIVE */
export async function cancel(deps: BillingDeps, organization: string, by: By): Promise<OperatedBilling> {
  await cancelPlan({ ...deps, by }, organization);
  return getBilling(deps, organization);
}

/** @throws AppError ORGANIZATION_NOT_FOUND */
export async function changeTax(
  deps: BillingDeps,
  organization: string,
  tax_percentage: number | null,
  by: By,
): Promise<OperatedBilling> {
  await setTerms({ ...deps, by }, organization, { tax_percentage });
  return getBilling(deps, organization);
}

/** @throws AppError ORGANIZATION_NOT_FOUND */
export async function giveMinutes(
  deps: BillingDeps,
  organization: string,
  minutes: number,
  by: By,
): Promise<OperatedBilling> {
  await grantMinutes({ ...deps, by, now: new Date(deps.clock.now()) }, organization, minutes);
  return getBilling(deps, organization);
}

/** @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_REFUNDABLE */
export async function refund(
  deps: BillingDeps,
  uuid: string,
  amount: number | undefined,
  by: By,
): Promise<Answer<Routes["refund"]>> {
  const credit = await refundInvoice({ ...deps, by }, uuid, amount);
  return { credit_note: invoiceNumber(credit.number), amount: credit.amount };
}

/** @throws AppError INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE */
export const markPaid = (deps: BillingDeps, uuid: string, by: By): Promise<void> =>
  markInvoicePaid({ ...deps, by }, uuid, by.reason ?? "");

/** What is due now, or will be by a time. */
export const getDue = async (deps: BillingDeps, until?: string): Promise<BillingRun> =>
  presentRun(await showDue(deps, until === undefined ? undefined : new Date(until)), { isIssued: false });

/** Bills what is due now. */
export const runBilling = async (deps: BillingDeps, by: By): Promise<BillingRun> =>
  presentRun(await billDue({ ...deps, by }), { isIssued: true });

const presentRun = (issued: Awaited<ReturnType<typeof billDue>>, { isIssued }: { isIssued: boolean }): BillingRun => ({
  count: issued.length,
  invoices: issued
    .slice(0, limits.billedShown)
    .map(({ number, organization: name, organization_uuid: uuid, period_began_at, period_ended_at, ...row }) => ({
      ...row,
      invoice_number: isIssued ? invoiceNumber(number) : null,
      organization: { uuid, name },
      period_start: period_began_at.toISOString(),
      period_end: period_ended_at.toISOString(),
    })),
});
