import type { Clock } from "@terrarium/clock";
import { z } from "zod";
import type { Database } from "../../database/schema.ts";
import { enqueue } from "../../platform/jobs/enqueue.ts";
import { defineJob } from "../../platform/jobs/job.ts";
import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import { sendMail } from "../../platform/mail/send-mail.ts";
import type { PaymentProvider } from "../payments/payment-provider.ts";
import { type InvoiceLinks, linkTimes } from "./invoice-links.ts";
import { invoiceNumber } from "./invoice-number.ts";
import {
  chargeFor,
  type Due,
  findBillingContact,
  findInvoice,
  findManagers,
  findWithStatus,
  type InvoiceRow,
} from "./invoices.store.ts";
import { invoicePage } from "./present-invoice.ts";
import { dayText, moneyText } from "./print/words.ts";

export interface InvoiceMailDeps {
  db: Database;
  clock: Clock;
  pagesAt: () => string;
  invoiceLinks: InvoiceLinks;
  payments: Pick<PaymentProvider, "minimum">;
}

/**
 * Mails a new invoice or credit note: to the managers with a link to its page, and to the additional billing contact, who need not be a
 * member, with one to its PDF. Nobody gets it twice.
 */
export const mailInvoiceJob = defineJob({
  name: "mail-invoice",
  payload: z.object({ invoice: z.uuid() }),
  async run({ db, clock, pagesAt, invoiceLinks, payments }: InvoiceMailDeps, { invoice: uuid }) {
    const invoice = await findInvoice(db, uuid);
    if (!invoice) return;
    const withStatus = await findWithStatus(db, uuid);
    const charge = withStatus && (await chargeFor(db, withStatus, payments.minimum));
    await mailPayers({ db, clock }, { organization: invoice.organization_uuid, key: uuid }, (who) =>
      invoiceMail(
        { ...invoice, charge },
        who === "manager"
          ? { label: "Open", url: invoicePage(pagesAt, uuid) }
          : { label: "Download PDF", url: invoiceLinks.make(pagesAt(), uuid, linkTimes.mail).url },
      ),
    );
  },
});

/**
 * Mails whoever pays for an organization: its managers, and the additional billing contact, who need not be a member, and so can open no
 * pages. Nobody gets what has a key twice.
 */
export async function mailPayers(
  { db, clock }: Pick<InvoiceMailDeps, "db" | "clock">,
  { organization, key }: { organization: string; key: string },
  contentFor: (who: "manager" | "contact") => MailContent,
): Promise<void> {
  const managers = (await findManagers(db, organization)).map(({ address }) => address);
  const contact = await findBillingContact(db, organization);
  const send = (address: string, content: MailContent) =>
    sendMail(db, clock, { to: { address }, ...content }, { key: `${key} ${address}` });
  for (const address of managers) await send(address, contentFor("manager"));
  if (contact !== null && !managers.includes(contact)) await send(contact, contentFor("contact"));
}

/** Has a new invoice mailed once the transaction has committed. */
export const mailInvoice = (trx: Database, clock: Clock, uuid: string): Promise<boolean> =>
  enqueue(trx, clock, mailInvoiceJob, { invoice: uuid }, { key: uuid });

interface Link {
  label: string;
  url: string;
}

function invoiceMail(
  { number, nature, amount, currency, bill_to, due_at, charge, ...row }: InvoiceRow & { charge: Due | undefined },
  { label, url }: Link,
) {
  const name = invoiceNumber(number);
  const period = `${dayText(row.period_began_at)} to ${dayText(row.period_ended_at)}`;
  const isCredit = nature === "CREDIT";
  const what = isCredit ? `Credit note ${name}` : `Invoice ${name}`;
  return layOut({
    subject: `${what} for ${bill_to.name}`,
    heading: `${what}: ${moneyText(Math.abs(amount), currency)}`,
    paragraphs: isCredit
      ? [`${moneyText(-amount, currency)} are paid back to ${bill_to.name}, for the period from ${period}.`]
      : [
          `There is a new invoice for ${bill_to.name}, for the period from ${period}.`,
          `It is due on ${dayText(due_at)}. If your organization has a payment method, nothing has to be done: it is charged.`,
          ...(charge ? togetherWith(charge, currency) : []),
        ],
    action: { label: isCredit ? `${label} credit note` : `${label} invoice`.replace("PDF invoice", "PDF"), url },
    footer: `You get this mail because you manage ${bill_to.name}, or it named you as a contact for bills.`,
  });
}

/** What else is charged with an invoice, if there is anything. */
function togetherWith({ amount, also_pays }: Due, currency: InvoiceRow["currency"]): string[] {
  const others = also_pays.map((other) => `${invoiceNumber(other.number)} (${moneyText(other.amount, currency)})`);
  return others.length === 0
    ? []
    : [
        `${moneyText(amount, currency)} are charged in all, as this also pays what was too little to be charged alone: ${others.join(", ")}.`,
      ];
}
