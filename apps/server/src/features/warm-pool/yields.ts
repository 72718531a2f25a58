import type { Waiting } from "../instances/queue.ts";

/** What has waited for longer is not helped by room for a device: there may be no machine that can run it. */
export const YIELD_MS = 10 * 60_000;

/** How many devices have room before those that nobody has asked for: each of these frees one, of every pool of its machines. */
export const countAhead = (waiting: readonly Waiting[], pool: { zone: string; runtime: string }, now: Date): number =>
  waiting.filter(
    ({ zone, runtime, is_own_limit, queued_at }) =>
      zone === pool.zone && runtime === pool.runtime && !is_own_limit && now.getTime() - queued_at.getTime() < YIELD_MS,
  ).length;
