import type { Clock } from "@terrarium/clock";
import { AppError } from "@terrarium/contract";
import { type QueryExecutorProvider, sql } from "kysely";
import { createHmac } from "node:crypto";
import { type MigrationSteps, statements } from "../db/migrations.ts";
import type { Periodic } from "../jobs/periodic.ts";

export const attemptMigrations: MigrationSteps = {
  // Unlogged: the counters of some minutes are not worth a place in the write-ahead log. A crash of the database empties the table,
  // which strangers cannot bring about.
  "0010-attempts": statements(
    `CREATE UNLOGGED TABLE attempts (bucket integer PRIMARY KEY, since timestamptz NOT NULL, count integer NOT NULL)`,
  ),
};

/** Some 75 MB. */
const MAX_ROWS = 2 ** 20;

/** At most `max` attempts with one key in a window, which begins with the first of them. */
export interface Limit {
  name: string;
  max: number;
  windowMs: number;
}

const MINUTE_MS = 60_000;
/** No window may be longer. */
export const MAX_WINDOW_MS = 60 * MINUTE_MS;

/** An attempt that was counted. */
export interface Attempt {
  bucket: number;
  isOver: boolean;
  /** Until the window ends; at least 1. */
  retryAfterSeconds: number;
}

export interface DatabaseRateLimiterOptions {
  db: QueryExecutorProvider;
  clock: Clock;
  secret: Uint8Array;
  maxRows?: number;
}

/**
 * A rate limiter that all processes share, as it counts attempts in the database. A key's row is chosen by a hash with a secret, of a limited
 * number of rows. So a flood of keys drops no counter, and nobody can find a key that shares the counter of another.
 */
export class DatabaseRateLimiter {
  readonly #db: QueryExecutorProvider;
  readonly #clock: Clock;
  readonly #secret: Uint8Array;
  readonly #maxRows: number;

  constructor({ db, clock, secret, maxRows = MAX_ROWS }: DatabaseRateLimiterOptions) {
    this.#db = db;
    this.#clock = clock;
    this.#secret = secret;
    this.#maxRows = maxRows;
  }

  /** Counts an attempt, or several at once, and says whether the last of them is over the limit. */
  async count({ name, max, windowMs }: Limit, key: string, attempts = 1): Promise<Attempt> {
    const bucket = this.#bucketOf(`${name}\0${key}`);
    const now = this.#clock.now();
    // A window that begins in the future is over too: the clock was set back.
    const isOpen = sql`abs(extract(epoch FROM excluded.since - attempts.since)) * 1000 < ${windowMs}`;
    const { rows } = await sql<{ since: Date; count: number }>`
      INSERT INTO attempts (bucket, since, count) VALUES (${bucket}, ${new Date(now)}, ${attempts})
      ON CONFLICT (bucket) DO UPDATE SET
        since = CASE WHEN ${isOpen} THEN attempts.since ELSE excluded.since END,
        count = CASE WHEN ${isOpen} THEN attempts.count + excluded.count ELSE excluded.count END
      RETURNING since, count`.execute(this.#db);
    const { since, count } = rows[0] ?? { since: new Date(now), count: 1 };
    const retryAfterSeconds = Math.max(1, Math.ceil((since.getTime() + windowMs - now) / 1000));
    return { bucket, isOver: count > max, retryAfterSeconds };
  }

  /**
   * Counts an attempt, or several at once.
   * @throws AppError TOO_MANY_REQUESTS, with the seconds to wait, when it is over the limit
   */
  async take(limit: Limit, key: string, attempts = 1): Promise<Attempt> {
    const attempt = await this.count(limit, key, attempts);
    if (attempt.isOver) throw tooMany(attempt);
    return attempt;
  }

  /** The same limiter, counting in a transaction: what it counted there is undone with it. */
  within(trx: QueryExecutorProvider): DatabaseRateLimiter {
    return new DatabaseRateLimiter({ db: trx, clock: this.#clock, secret: this.#secret, maxRows: this.#maxRows });
  }

  /** Takes attempts back. */
  async refund(attempts: readonly Attempt[]): Promise<void> {
    const buckets = attempts.map(({ bucket }) => bucket);
    await sql`UPDATE attempts SET count = greatest(count - 1, 0) WHERE bucket = ANY(${buckets}::integer[])`.execute(
      this.#db,
    );
  }

  #bucketOf(key: string): number {
    return createHmac("sha256", this.#secret).update(key).digest().readUInt32BE() % this.#maxRows;
  }
}

/** The refusal of an attempt that is over a limit. */
export const tooMany = ({ retryAfterSeconds }: Pick<Attempt, "retryAfterSeconds">): AppError =>
  new AppError("TOO_MANY_REQUESTS", { facts: { retryAfterSeconds } });

/** Deletes counters whose window is over. */
export const deleteOldAttempts: Periodic<{ db: QueryExecutorProvider; clock: Clock }> = {
  everyMs: 10 * MINUTE_MS,
  async run({ db, clock }) {
    const [oldest, newest] = [clock.now() - MAX_WINDOW_MS, clock.now() + MAX_WINDOW_MS];
    await sql`DELETE FROM attempts WHERE since < ${new Date(oldest)} OR since > ${new Date(newest)}`.execute(db);
  },
};
