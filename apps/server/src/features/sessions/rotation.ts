/** For requests that were on their way when a newer token of their session was first used, by another tab for instance. */
const ROTATION_GRACE_MS = 60_000;

/** How far the tokens of a session have got. */
interface Rotation {
  generation: number;
  rotated_at: Date | null;
}

/**
 * Whether a token was rotated out too long ago to be used. Then two parties hold tokens of one session, and one of them has stolen theirs:
 * an honest client replaces the old token as soon as it gets the new one.
 */
export function isReused(generation: number, newest: Rotation, now: number): boolean {
  if (generation >= newest.generation) return false;
  return now - (newest.rotated_at?.getTime() ?? 0) > ROTATION_GRACE_MS;
}
