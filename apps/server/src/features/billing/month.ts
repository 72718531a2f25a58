const DAY_MS = 24 * 60 * 60 * 1000;
/** The pace of this time is projected to the month's end: a week has all days of the week. */
const PACE_MS = 7 * DAY_MS;

/** The calendar month that a time lies in, UTC. */
export function monthOf(now: Date): { since: Date; until: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { since: new Date(Date.UTC(year, month, 1)), until: new Date(Date.UTC(year, month + 1, 1)) };
}

/** The days whose pace is expected to go on: the last seven, or those since an organization or its plan began, if that is less; an hour at least. */
export const paceSince = (now: Date, began: Date): Date =>
  new Date(Math.max(now.getTime() - PACE_MS, Math.min(began.getTime(), now.getTime() - DAY_MS / 24)));

/** What a month comes to if what was used since `since` goes on like that until its end. */
export function expectedUse(
  { used, recent }: { used: number; recent: number },
  { since, now, until }: { since: Date; now: Date; until: Date },
): number {
  const [past, left] = [now.getTime() - since.getTime(), until.getTime() - now.getTime()];
  return used + Math.round((recent / past) * left);
}
