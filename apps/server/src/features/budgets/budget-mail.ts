import { type BudgetUnit, type Currency, limits } from "@terrarium/contract";
import { layOut } from "../../platform/mail/layout.ts";
import type { MailContent } from "../../platform/mail/mail.ts";
import { countText, moneyText } from "../invoices/print/words.ts";

interface Noticed {
  /** Whose budget it is. */
  name: string;
  unit: BudgetUnit;
  used: number;
  limit: number;
  currency: Currency;
  /** Percent. */
  threshold: number;
  stops: boolean;
  stopsAt: Date | null;
  /** When the next month begins. */
  until: Date;
  /** The origin of the service's pages. */
  pagesAt: string;
}

/** Reports how much of a month's budget is used, and what follows from that. */
export function noticeMail(notice: Noticed): MailContent {
  const { name, unit, used, limit, currency, threshold, until, pagesAt } = notice;
  const say = (value: number) => (unit === "minutes" ? `${countText(value)} minutes` : moneyText(value, currency));
  const heading =
    threshold < 100 ? `${threshold} % of the budget of ${name} is used` : `The budget of ${name} is used up`;
  const renews = until.toLocaleDateString("en", { timeZone: "UTC", day: "numeric", month: "long" });
  return layOut({
    subject: heading,
    heading,
    paragraphs: [
      `${say(used)} of ${say(limit)} are used this month. It begins again on ${renews}.`,
      consequence(notice),
    ],
    action: { label: "See budgets", url: `${pagesAt}/administration/dashboard#budgets` },
    footer: "You get this mail because you manage an organization, or because it is your budget.",
  });
}

function consequence({ threshold, stops, stopsAt }: Noticed): string {
  if (!stops) return "No device stops for it.";
  if (threshold < 100 || !stopsAt)
    return `Once it is used up, its devices stop ${limits.stopNoticeMinutes} minutes later, and no others start.`;
  const time = stopsAt.toLocaleTimeString("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
  return `Its devices stop at ${time} UTC, and what was not saved on them is lost. No others start. A manager can raise the budget, or let the devices run an hour longer.`;
}
