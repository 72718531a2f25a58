import { billDue, markInvoicePaid, refundInvoice } from "../features/billing/operate-invoices.ts";
import { grantMinutes } from "../features/billing/minutes.ts";
import { organizationCalled } from "../features/organizations/organization-called.ts";
import { type Command, onDatabase, print } from "./command.ts";

/** Cents as people write them. */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`;

export const billingCommands: readonly Command[] = [
  {
    name: "billing run",
    usage: "billing run [--dry-run] [--json]",
    about: "bills what is due now; a dry run shows its invoices and writes nothing",
    read: ({ words, options }) => {
      if (words.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const isDry = options["dry-run"] ?? false;
          const threshold = installation.settings.offer.payg_threshold_cents;
          const issued = await billDue({ ...deps, taxes: installation.settings.taxes, threshold }, { isDry });
          const rows = issued.map(({ number, organization, period_began_at, period_ended_at, currency, ...row }) => ({
            ...(isDry ? {} : { number }),
            organization,
            from: period_began_at.toISOString(),
            until: period_ended_at.toISOString(),
            net: money(row.net, currency),
            tax: money(row.tax, currency),
            amount: money(row.amount, currency),
            free_minutes: row.balance_used,
          }));
          if (rows.length > 0 || options.json) print(rows, options);
          else console.log("Nothing is due.");
        })(installation);
    },
  },
  {
    name: "billing refund",
    usage: "billing refund INVOICE [CENTS]",
    about: "pays an invoice back, or a part of it, with a credit note; once for each",
    read: ({ words: [invoice, cents, ...rest] }) => {
      if (!invoice || (cents !== undefined && !/^\d{1,9}$/.test(cents)) || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const part = cents === undefined ? undefined : Number(cents);
          const { number, amount } = await refundInvoice(
            { ...deps, taxes: installation.settings.taxes },
            invoice,
            part,
          );
          console.log(`Credit note ${number} pays ${(amount / 100).toFixed(2)} back.`);
        })(installation);
    },
  },
  {
    name: "billing mark-paid",
    usage: "billing mark-paid INVOICE REASON",
    about: "an invoice was paid in another way, such as by transfer",
    read: ({ words: [invoice, ...reason] }) => {
      if (!invoice || reason.length === 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          await markInvoicePaid({ ...deps, taxes: installation.settings.taxes }, invoice, reason.join(" "));
          console.log(`Invoice ${invoice} is paid.`);
        })(installation);
    },
  },
  {
    name: "billing grant",
    usage: "billing grant ORGANIZATION MINUTES",
    about: "gives an organization free minutes",
    read: ({ words: [name, minutes, ...rest] }) => {
      if (!name || !/^[1-9]\d{0,8}$/.test(minutes ?? "") || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        const now = new Date(deps.clock.now());
        await grantMinutes({ ...deps, now }, await organizationCalled(deps.db, name), Number(minutes));
        console.log(`${name} has ${minutes} more free minutes.`);
      });
    },
  },
];
