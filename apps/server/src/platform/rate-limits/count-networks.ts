import { type Attempt, type DatabaseRateLimiter, type Limit, tooMany } from "./database-rate-limiter.ts";

/**
 * Counts by an address, then by the wider networks that it is in (see `networksOf`), each of which has ten times the limit of the one
 * before. What is over a limit is not counted further, so a customer alone cannot use up what a wider network has.
 */
export async function countNetworks(
  limiter: DatabaseRateLimiter,
  limit: Limit,
  networks: string[],
): Promise<{ attempts: Attempt[]; over: Attempt | undefined }> {
  const attempts: Attempt[] = [];
  for (const [index, network] of networks.entries()) {
    const attempt = await limiter.count({ ...limit, max: limit.max * 10 ** index }, network);
    attempts.push(attempt);
    if (attempt.isOver) return { attempts, over: attempt };
  }
  return { attempts, over: undefined };
}

/**
 * Counts likewise, and refuses what is over. Returns what was counted.
 * @throws AppError TOO_MANY_REQUESTS
 */
export async function takeNetworks(limiter: DatabaseRateLimiter, limit: Limit, networks: string[]): Promise<Attempt[]> {
  const { attempts, over } = await countNetworks(limiter, limit, networks);
  if (over) throw tooMany(over);
  return attempts;
}
