const MINUTE_MS = 60_000;

type Time = string | number | Date | null | undefined;

/** The date in the reader's own time zone, or undefined when there is none. */
function dateOf(time: Time): Date | undefined {
  if (time === null || time === undefined || time === "") return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Writes a date in one way; `otherwise` stands for no date at all. What writes is made with the first one: many pages have none. */
function formatIn(locale: string, options: Intl.DateTimeFormatOptions): (time: Time, otherwise: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (time, otherwise) => {
    const date = dateOf(time);
    if (!date) return otherwise;
    format ??= new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    // Said as of the zone that a laptop is in now; a format keeps that in which it was made.
    const local = date.getTime() - date.getTimezoneOffset() * MINUTE_MS;
    // Browsers put a narrow space before AM and PM, which nobody searches for.
    return format.format(local).replace("\u202f", " ");
  };
}

/** March 5, 2026 */
export const longDate = formatIn("en-US", { dateStyle: "long" });

/** March 2026 */
export const monthAndYear = formatIn("en-US", { month: "long", year: "numeric" });

/** 2026-03-05, as Sweden writes it. */
export const shortDate = formatIn("sv", { dateStyle: "short" });

/** 3:07 PM */
export const timeOfDay = formatIn("en-US", { timeStyle: "short" });

/** 2026-03-05 15:07:09 */
export const dateTime = formatIn("sv", { dateStyle: "short", timeStyle: "medium" });

/** How a number of minutes is best said: in hours when that is even. */
export const duration = (minutes: number): { count: number; unit: "minutes" | "hours" } =>
  minutes > 0 && minutes % 60 === 0 ? { count: minutes / 60, unit: "hours" } : { count: minutes, unit: "minutes" };

const steps = [
  ["day", 1440],
  ["hour", 60],
  ["minute", 1],
] as const;
/** Made with the first one, too: it takes a phone longer than the rest of a page. */
let words: Intl.RelativeTimeFormat | undefined;

/** "36 minutes ago", "just now"; a clock that is a little ahead of ours is no future. */
export function relativeTime(time: string | number | Date, now: number): string {
  const minutes = Math.floor((now - new Date(time).getTime()) / MINUTE_MS);
  const step = steps.find(([, size]) => minutes >= size);
  if (!step) return "just now";
  words ??= new Intl.RelativeTimeFormat("en", { numeric: "always" });
  return words.format(-Math.floor(minutes / step[1]), step[0]);
}
