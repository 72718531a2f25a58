/** When a day such as 2026-03-05 begins where the reader is, or the day that is `daysLater` after it. */
export function startOfDay(day: string, daysLater = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater);
}

/** Whether a text is a day of the calendar. */
export function isDay(text: string | null): text is string {
  if (text === null || !/^[12]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
