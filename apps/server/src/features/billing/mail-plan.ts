import type { Clock } from "@terrarium/clock";
import { limits, planTimes, type SubscriptionState, subscriptionStates } from "@terrarium/contract";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { layOut } from "../../platform/mail/layout.ts";
import { linkTimes } from "../invoices/invoice-links.ts";
import { type InvoiceMailDeps, mailPayers } from "../invoices/mail-invoice.ts";
import { invoicePage } from "../invoices/present-invoice.ts";
import { dayText } from "../invoices/print/words.ts";
import { listUnpaid } from "./receivables.store.ts";
import { findPayer, type SubscriptionRow } from "./subscriptions.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** How a plan stands since a time, and how it stood before. */
const Move = z.object({
  subscription: z.guid(),
  status: z.enum(subscriptionStates),
  before: z.enum(subscriptionStates),
  at: z.iso.datetime(),
});
type Move = z.infer<typeof Move>;

const told: readonly SubscriptionState[] = ["OVERDUE", "SUSPENDED", "CANCELLED"];

/** Tells whoever pays for a plan that it is overdue, suspended or has ended, and what comes next. */
export const mailPlanJob = defineJob({
  name: "mail-plan",
  payload: Move,
  async run({ db, clock, pagesAt, invoiceLinks }: InvoiceMailDeps, move) {
    const plan = await findPayer(db, move.subscription);
    if (!plan) return;
    const organization = plan.organization_uuid;
    const unpaid = (await listUnpaid(db, organization)).find(({ is_renewal }) => !is_renewal)?.uuid;
    const linkFor = (who: "manager" | "contact") => {
      if (who === "contact")
        return unpaid === undefined
          ? undefined
          : { action: { label: "Download PDF", url: invoiceLinks.make(pagesAt(), unpaid, linkTimes.mail).url } };
      return unpaid
        ? { action: { label: "Pay invoice", url: invoicePage(pagesAt, unpaid, { pay: true }) } }
        : { action: { label: "Open plans and billing", url: `${pagesAt()}/administration/billing` } };
    };
    const footer = `You get this mail because you manage ${plan.organization}, or it named you as a contact for bills.`;
    await mailPayers({ db, clock }, { organization, key: keyOf(move) }, (who) =>
      layOut({ ...wordsOf(plan, move), ...linkFor(who), footer }),
    );
  },
});

const keyOf = ({ subscription, status, at }: Move): string => `${subscription} ${status} ${at}`;

/** Has a move of a plan told, if it is one to be told of, once the transaction has committed. */
export async function mailPlan(trx: Database, clock: Clock, move: Move): Promise<void> {
  // Whoever did not get as far as to pay was told by the page.
  if (!told.includes(move.status) || move.before === "INCOMPLETE") return;
  await enqueue(trx, clock, mailPlanJob, move, { key: keyOf(move) });
}

const stopping = `Devices that run stop ${limits.stopNoticeMinutes} minutes later.`;
const names = { payg: "pay-as-you-go", monthly: "Unlimited monthly", annual: "Unlimited annual" } as const;

function wordsOf(
  { organization, plan, cancel_at_period_end }: SubscriptionRow & { organization: string },
  { status, before, at }: Move,
) {
  const dayIn = (days: number) => dayText(new Date(Date.parse(at) + days * DAY_MS));
  const name = `The ${names[plan]} plan of ${organization}`;
  if (status === "OVERDUE")
    return {
      subject: `A payment of ${organization} is overdue`,
      heading: "A payment is overdue",
      paragraphs: [
        `${name} goes on for now, but an invoice is not paid.`,
        `If it is not paid by ${dayIn(planTimes.suspendDays)}, the plan is suspended: running devices stop, and none starts.`,
      ],
    };
  if (status === "SUSPENDED")
    return {
      subject: `The plan of ${organization} is suspended`,
      heading: "Your plan is suspended",
      paragraphs: [
        `${name} is suspended, as an invoice is not paid. ${stopping} None starts.`,
        `Once it is paid, devices start again at once. If it is not paid by ${dayIn(planTimes.cancelDays)}, the plan ends.`,
      ],
    };
  return {
    subject: `The plan of ${organization} has ended`,
    heading: "Your plan has ended",
    paragraphs: [
      before === "SUSPENDED"
        ? `${name} has ended, as an invoice was not paid. No device starts until it is paid and there is another plan.`
        : plan === "payg" || cancel_at_period_end
          ? `${name} has ended, as your organization asked. ${plan === "payg" ? "Devices that ran have stopped." : stopping}`
          : `${name} has ended, as its renewal could not be charged. ${stopping}`,
      `Recipes and everything else are as they were.${before === "SUSPENDED" ? "" : " You can choose a plan at any time."}`,
    ],
  };
}
