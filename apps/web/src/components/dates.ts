const two = (part: number): string => String(part).padStart(2, "0");
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

type Time = string | number | Date | null | undefined;

/** The date in the reader's own time zone, or undefined when there is none. */
function dateOf(time: Time): Date | undefined {
  if (time === null || time === undefined || time === "") return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const formatWith =
  (write: (date: Date) => string) =>
  (time: Time, otherwise: string): string => {
    const date = dateOf(time);
    return date ? write(date) : otherwise;
  };

/** March 5, 2026. `otherwise` stands for no date at all. */
export const longDate = formatWith((date) => `${months[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`);

/** March 2026 */
export const monthAndYear = formatWith((date) => `${months[date.getMonth()]} ${date.getFullYear()}`);

/** 2026-03-05 */
export const shortDate = formatWith((date) =>
  [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-"),
);

/** 3:07 PM */
export const timeOfDay = formatWith((date) => {
  const hours = date.getHours();
  return `${hours % 12 || 12}:${two(date.getMinutes())} ${hours < 12 ? "AM" : "PM"}`;
});

/** 2026-03-05 15:07:09 */
export const dateTime = formatWith((date) => {
  const day = shortDate(date, "");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
});

/** How a number of minutes is best said: in hours when that is even. */
export const duration = (minutes: number): { count: number; unit: "minutes" | "hours" } =>
  minutes > 0 && minutes % 60 === 0 ? { count: minutes / 60, unit: "hours" } : { count: minutes, unit: "minutes" };

const MINUTE_MS = 60_000;
const steps = [
  ["day", 1440],
  ["hour", 60],
  ["minute", 1],
] as const;
const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "36 minutes ago", "just now"; a clock that is a little ahead of ours is no future. */
export function relativeTime(time: string | number | Date, now: number): string {
  const minutes = Math.floor((now - new Date(time).getTime()) / MINUTE_MS);
  const step = steps.find(([, size]) => minutes >= size);
  return step ? words.format(-Math.floor(minutes / step[1]), step[0]) : "just now";
}
