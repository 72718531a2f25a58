const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** No clock is further from UTC; some were once changed by a whole day. */
const MOST_OFF_MS = 26 * HOUR_MS;

/** The days from the first to the last, which are like "2026-03-05". */
export function daysBetween(since: string, until: string): string[] {
  const [from, to] = [Date.parse(since), Date.parse(until)];
  return Array.from({ length: (to - from) / DAY_MS + 1 }, (_, index) => nameOf(from + index * DAY_MS));
}

/**
 * When each of some days in a row begins in a time zone, and when the last ends. Days with a change of the clock have 23 or 25 hours; a few
 * begin at one in the morning, and one that a zone has skipped has none at all.
 * @param zone as `Europe/Paris`
 */
export function boundsOf(days: readonly string[], zone: string): Date[] {
  const local = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const isBefore = (at: number, day: string) => local.format(at) < day;
  const last = days.at(-1);
  const after = last === undefined ? [] : [nameOf(Date.parse(last) + DAY_MS)];
  let offset = 0;
  return [...days, ...after].map((day) => {
    const midnight = Date.parse(day);
    // As far from UTC as the day before, nearly always.
    const likely = midnight + offset;
    const begins = !isBefore(likely, day) && isBefore(likely - MINUTE_MS, day) ? likely : search(midnight, day);
    offset = begins - midnight;
    return new Date(begins);
  });

  function search(midnight: number, day: string): number {
    let [before, from] = [midnight - MOST_OFF_MS, midnight + MOST_OFF_MS];
    while (from - before > MINUTE_MS) {
      const middle = Math.floor((before + from) / 2 / MINUTE_MS) * MINUTE_MS;
      if (isBefore(middle, day)) before = middle;
      else from = middle;
    }
    return from;
  }
}

/** When something was, as a clock of a time zone shows it: "2026-03-05 14:07:09". */
export function localTimesOf(zone: string): (at: Date) => string {
  // The Swedish way of writing it.
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return (at) => format.format(at);
}

const nameOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
