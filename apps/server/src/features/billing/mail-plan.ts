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
import { dayText, moneyText } from "../invoices/print/words.ts";
import { findInvoice, listUnpaid } from "./receivables.store.ts";
import { findPayer, type SubscriptionRow, updateSubscription } from "./subscriptions.store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

const About = z.object({ subscription: z.guid(), at: z.iso.datetime() });
/** How a plan stands since then, and how it stood before. */
const Move = About.extend({ status: z.enum(subscriptionStates), before: z.enum(subscriptionStates) });
type Move = z.infer<typeof Move>;
/** Its renewal could not be charged: the invoice, and why. */
const Refusal = About.extend({ renewal: z.guid(), reason: z.string() });
/** It has another price from a time on. Cents. */
const NewPrice = About.extend({ price: z.int(), from: z.iso.datetime() });
/** The operator has cancelled it, and it ends with its period; whether the audit log says why. */
const Cancelled = About.extend({ ends: z.iso.datetime(), has_reason: z.boolean().default(false) });
const News = z.union([Move, Refusal, NewPrice, Cancelled]);
type News = z.infer<typeof News>;

const mailedStates: readonly SubscriptionState[] = ["OVERDUE", "SUSPENDED", "CANCELLED"];

/** Notifies whoever pays for a plan of what has happened to it, or will, and of what they can do. */
export const mailPlanJob = defineJob({
  name: "mail-plan",
  payload: News,
  async run({ db, clock, pagesAt, invoiceLinks }: InvoiceMailDeps, news) {
    const plan = await findPayer(db, news.subscription);
    if (!plan || !(await isTrueStill(db, new Date(clock.now()), plan, news))) return;
    const organization = plan.organization_uuid;
    const unpaid = await invoiceOf(db, organization, news);
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
    await mailPayers({ db, clock }, { organization, key: keyOf(news) }, (who) =>
      layOut({ ...wordsOf(plan, news), ...linkFor(who), footer }),
    );
    if ("price" in news) await updateSubscription(db, plan.uuid, { told_price: news.price });
  },
});

/** A mail may be sent long after it was decided on. */
async function isTrueStill(db: Database, now: Date, plan: Payer, news: News): Promise<boolean> {
  if ("status" in news) return plan.status === news.status && plan.status_at.getTime() === Date.parse(news.at);
  if (plan.ended_at !== null) return false;
  if ("ends" in news) return plan.cancel_at_period_end;
  if ("price" in news) {
    const isNews = plan.told_price !== null && plan.told_price !== plan.price;
    return isNews && !plan.cancel_at_period_end && plan.price === news.price;
  }
  return plan.renewal.ends_at > now && (await findInvoice(db, news.renewal))?.status === "FAILED";
}

/** What is to be paid, if that is what the mail is about. */
async function invoiceOf(db: Database, organization: string, news: News): Promise<string | undefined> {
  if ("price" in news || "ends" in news) return undefined;
  if ("renewal" in news) return news.renewal;
  return (await listUnpaid(db, organization)).find(({ is_renewal }) => !is_renewal)?.uuid;
}

function keyOf(news: News): string {
  const what =
    "status" in news
      ? news.status
      : "renewal" in news
        ? news.renewal
        : "price" in news
          ? `price ${news.price}`
          : "cancelled";
  return `${news.subscription} ${what} ${news.at}`;
}

/** Mails news of a plan, if it is of a kind that is mailed, once the transaction has committed. */
export async function mailPlan(trx: Database, clock: Clock, news: News): Promise<void> {
  // Whoever did not get as far as paying has seen it on the page.
  if ("status" in news && (!mailedStates.includes(news.status) || news.before === "INCOMPLETE")) return;
  await enqueue(trx, clock, mailPlanJob, news, { key: keyOf(news) });
}

const stopping = `Devices that run stop ${limits.stopNoticeMinutes} minutes later.`;
const names = { payg: "pay-as-you-go", monthly: "Unlimited monthly", annual: "Unlimited annual" } as const;

/** A plan, with who pays for it. */
type Payer = SubscriptionRow & { organization: string };

function wordsOf(payer: Payer, news: News) {
  if ("status" in news) return wordsOfMove(payer, news);
  const { organization, plan, currency } = payer;
  if ("ends" in news)
    return {
      subject: `The plan of ${organization} is cancelled`,
      heading: "Your plan is cancelled",
      paragraphs: [
        `The ${names[plan]} plan of ${organization} was cancelled by whoever runs the service. It stays until ${dayText(new Date(news.ends))}, and is not renewed. Until then, devices run and start as before.`,
        ...(news.has_reason ? ["Your audit log says why."] : []),
      ],
    };
  if ("renewal" in news)
    return {
      subject: `The renewal for ${organization} could not be charged`,
      heading: "The renewal of your plan could not be charged",
      paragraphs: [
        `The ${names[plan]} plan of ${organization} could not be renewed: ${news.reason}`,
        `If it is not paid by ${dayText(payer.renewal.ends_at)}, the plan ends then. A manager can choose another card and pay the invoice.`,
      ],
    };
  const { price, from } = news;
  const [what, per] = {
    payg: ["a minute of a device", ""],
    monthly: ["a device", " a month"],
    annual: ["a device", " a year"],
  }[plan];
  const charged = dayText(new Date(Date.parse(from) - planTimes.renewalDays * DAY_MS));
  const [now, before] = [moneyText(price, currency), moneyText(payer.told_price ?? price, currency)];
  return {
    subject: `The price of the plan of ${organization} changes`,
    heading: "The price of your plan changes",
    paragraphs: [
      `In the ${names[plan]} plan of ${organization}, ${what} costs ${now}${per} in place of ${before}, from ${dayText(new Date(from))} on.`,
      plan === "payg"
        ? "What was used before is billed at the price before."
        : `What was paid in advance stays as it is. The new price is charged on ${charged}. Until then, the plan can be cancelled.`,
    ],
  };
}

function wordsOfMove({ organization, plan, cancel_at_period_end }: Payer, { status, before, at }: Move) {
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
          ? `${name} has ended, as it was cancelled. ${plan === "payg" ? "Devices that ran have stopped." : stopping}`
          : `${name} has ended, as its renewal could not be charged. ${stopping}`,
      `Recipes and everything else are as they were.${before === "SUSPENDED" ? "" : " You can choose a plan at any time."}`,
    ],
  };
}
