const MINUTE_MS = 60_000;

type Time = string | number | Date | null | undefined;

/** The date in the reader's own time zone, or undefined when there is none. */
function dateOf(time: Time): Date | undefined {
  if (time === null || time === undefined || time === "") return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Writes a date in one way; `otherwise` stands for no date at all. What writes is made with the first one: many pages have none. */
function formatIn(options: Intl.DateTimeFormatOptions): (time: Time, otherwise: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (time, otherwise) => {
    const date = dateOf(time);
    if (!date) return otherwise;
    format ??= new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    // Browsers put a narrow space before AM and PM, which nobody searches for.
    return format.format(asOfHere(date)).replace("\u202f", " ");
  };
}

/** In the zone that a laptop is in now, for formats in UTC: a format holds on to the zone in which it was made. */
const asOfHere = (date: Date): Date => new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);

/** Writes a date in figures, as far as `length`. By hand, as an `Intl.DateTimeFormat` takes long to make. */
const inFigures =
  (length: number) =>
  (time: Time, otherwise: string): string => {
    const date = dateOf(time);
    return date ? asOfHere(date).toISOString().slice(0, length).replace("T", " ") : otherwise;
  };

/** March 5, 2026 */
export const longDate = formatIn({ dateStyle: "long" });

/** March 2026 */
export const monthAndYear = formatIn({ month: "long", year: "numeric" });

/** 2026-03-05 */
export const shortDate = inFigures("2026-03-05".length);

/** 3:07 PM */
export const timeOfDay = formatIn({ timeStyle: "short" });

/** 2026-03-05 15:07:09 */
export const dateTime = inFigures("2026-03-05 15:07:09".length);

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
