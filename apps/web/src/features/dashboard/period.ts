import { limits } from "@terrarium/contract";
import { isDay } from "../../components/days.ts";

/** Days of the viewer's time zone, both included; each is like "2026-03-05". */
export interface Period {
  since: string;
  until: string;
}

export const periods = ["7", "30", "90", "month", "custom"] as const;
type PeriodName = (typeof periods)[number];
const usualPeriod: PeriodName = "30";

const DAY_MS = 24 * 60 * 60 * 1000;
const plus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The period that an address names: `?period=7`, or `?period=custom&since=2026-03-01&until=2026-03-05`. */
export function readPeriod(address: URLSearchParams, today: string): Period & { name: PeriodName } {
  const asked = address.get("period");
  const name = periods.find((each) => each === asked) ?? usualPeriod;
  if (name === "month") return { name, since: `${today.slice(0, 7)}-01`, until: today };
  const [since, until] = [address.get("since"), address.get("until")];
  if (name === "custom" && isDay(since) && isDay(until) && !wrongIn({ since, until })) return { name, since, until };
  const days = Number(name === "custom" ? usualPeriod : name);
  return { name, since: plus(today, 1 - days), until: today };
}

/** The address after another period was chosen; the usual one is left out. */
export function writePeriod(address: URLSearchParams, name: PeriodName, { since, until }: Period): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const each of ["period", "since", "until"]) next.delete(each);
  if (name !== usualPeriod) next.set("period", name);
  if (name === "custom") {
    next.set("since", since);
    next.set("until", until);
  }
  return next;
}

/** What is wrong with days that were typed. */
export function wrongIn({ since, until }: Period): "none" | "order" | "long" | undefined {
  if (!isDay(since) || !isDay(until) || since < "2000-01-01") return "none";
  if (until < since) return "order";
  return plus(since, limits.usageDays) <= until ? "long" : undefined;
}
