import { licenseTypes, limits, plans, type Price, priceBounds, priceOf } from "@terrarium/contract";
import { billDue, markInvoicePaid, refundInvoice, showDue } from "../features/billing/operate-invoices.ts";
import { grantMinutes } from "../features/billing/minutes.ts";
import { currentOffer, getPrices, setPrices } from "../features/billing/prices.ts";
import { setPrice } from "../features/billing/set-price.ts";
import { cancelPlan } from "../features/billing/cancel-plan.ts";
import { organizationCalled } from "../features/organizations/organization-called.ts";
import { setTerms } from "../features/organizations/set-terms.ts";
import { type Command, onDatabase, print } from "./command.ts";

/** The beginning of a day in UTC, as 2026-03-02; null for anything else. */
function readDay(text: string): Date | null {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

/** Cents as people write them. */
const money = (cents: number, currency: string): string => `${(cents / 100).toFixed(2)} ${currency}`;

export const billingCommands: readonly Command[] = [
  {
    name: "billing run",
    usage: "billing run [--dry-run [--until DAY]] [--json]",
    about: "bills what is due now; a dry run shows it, or what will be by a day, and writes nothing",
    read: ({ words, options }) => {
      const until = options.until === undefined ? undefined : readDay(options.until);
      if (words.length > 0 || until === null || (until && !options["dry-run"])) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const isDry = options["dry-run"] ?? false;
          const { taxes, offer } = installation.settings;
          const billing = { ...deps, taxes, offer };
          const issued = await (isDry ? showDue(billing, until) : billDue(billing));
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
  {
    name: "billing cancel",
    usage: "billing cancel ORGANIZATION",
    about: "cancels its plan: by the minute at once; one that is paid in advance is not renewed",
    read: ({ words: [name, ...rest] }) => {
      if (!name || rest.length > 0) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const organization = await organizationCalled(deps.db, name);
          await cancelPlan({ ...deps, taxes: installation.settings.taxes }, organization);
          console.log(`The plan of ${name} is cancelled.`);
        })(installation);
    },
  },
  {
    name: "billing price",
    usage: "billing price ORGANIZATION CENTS",
    about: "another price for its plan: of a minute, or of a device for a period",
    read: ({ words: [name, cents, ...rest] }) => {
      if (!name || !/^\d{1,7}$/.test(cents ?? "") || Number(cents) > limits.priceMax || rest.length > 0)
        return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const organization = await organizationCalled(deps.db, name);
          await setPrice({ ...deps, taxes: installation.settings.taxes }, organization, Number(cents));
          console.log(`The plan of ${name} has the price of ${cents} cents from now on.`);
        })(installation);
    },
  },
  {
    name: "billing prices",
    usage: "billing prices [NAME VALUE|setting [--running]] [--json]",
    about: "what the service costs, in cents, percent, minutes and days; or another price, also for plans that run",
    read: ({ words: [called, value, ...rest], options }) => {
      const name = (Object.keys(priceBounds) as Price[]).find((each) => each === called);
      const isPrice =
        name && (value === "setting" || (/^\d{1,8}$/.test(value ?? "") && isWithin(priceBounds[name], Number(value))));
      if ((called !== undefined && !isPrice) || rest.length > 0 || (options.running && !name)) return undefined;
      return (installation) =>
        onDatabase(async (deps) => {
          const { offer } = installation.settings;
          const wanted = name ? { [name]: value === "setting" ? null : Number(value) } : {};
          const costs = async () => {
            const now = await currentOffer(deps.db, offer);
            return plans.map((plan) => priceOf(plan, now)).join();
          };
          const before = await costs();
          await setPrices({ ...deps, offer }, wanted, { includesRunning: options.running ?? false });
          if (options.running && (await costs()) === before)
            console.log("No plan that runs has another price: what plans cost is as it was.");
          const { settings, set } = await getPrices(deps.db, offer);
          const names = Object.keys(priceBounds) as Price[];
          print(
            names.map((each) => ({ name: each, value: set[each] ?? settings[each], setting: settings[each] })),
            options,
          );
        })(installation);
    },
  },
  {
    name: "organizations tax",
    usage: "organizations tax NAME country|exempt|PERCENT",
    about: "what is added to its invoices from now on: the tax of its country, none, or a rate of its own",
    read: ({ words: [name, rate = "", ...rest] }) => {
      const tax_percentage = rate === "country" ? null : rate === "exempt" ? 0 : Number(rate);
      const isRate = /^(country|exempt|\d{1,3}(\.\d{1,2})?)$/.test(rate) && (tax_percentage ?? 0) <= 100;
      if (!name || !isRate || rest.length > 0) return undefined;
      return onDatabase(async (deps) => {
        await setTerms(deps, await organizationCalled(deps.db, name), { tax_percentage });
        const said = tax_percentage === null ? "the tax of its country" : `${tax_percentage} % of tax`;
        console.log(`${name} has ${said} on its invoices from now on.`);
      });
    },
  },
  {
    name: "organizations license",
    usage: `organizations license NAME ${licenseTypes.join("|")} active|inactive [DAY]`,
    about: "what it pays by, whether its devices start, and until when; without a day it does not end",
    read: ({ words: [name, called, state, day, ...rest] }) => {
      const license_type = licenseTypes.find((type) => type === called);
      const license_expires_at = day === undefined ? null : readDay(day);
      if (!name || !license_type || (state !== "active" && state !== "inactive") || rest.length > 0) return undefined;
      if (day !== undefined && license_expires_at === null) return undefined;
      return onDatabase(async (deps) => {
        const terms = { license_type, license_is_active: state === "active", license_expires_at };
        await setTerms(deps, await organizationCalled(deps.db, name), terms);
        console.log(`The license of ${name} is ${license_type}, ${state}${day ? ` and ends on ${day}` : ""}.`);
      });
    },
  },
];

const isWithin = ({ min, max }: { min: number; max: number }, value: number): boolean => value >= min && value <= max;
