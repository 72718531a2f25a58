import "../../en/dashboard.ts";
import type { TFunction } from "i18next";

const number = new Intl.NumberFormat("en");

/** "48 s", "12 min 7 s", "26 h 5 min": to the second below an hour, to the minute above. */
export function sayUse(seconds: number, t: TFunction): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return t("dashboard.time.hours", { hours: number.format(hours), minutes });
  return minutes > 0
    ? t("dashboard.time.minutes", { minutes, seconds: rest })
    : t("dashboard.time.seconds", { seconds });
}

/** "Thu, Mar 5": a day as the service names it, whatever the reader's time zone. */
export const sayDay = (day: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: "UTC", weekday: "short", month: "short", day: "numeric" }).format(
    Date.parse(day),
  );

/** "Mar 5", for an axis. */
export const sayDayShort = (day: string): string =>
  new Intl.DateTimeFormat("en", { timeZone: "UTC", month: "short", day: "numeric" }).format(Date.parse(day));
