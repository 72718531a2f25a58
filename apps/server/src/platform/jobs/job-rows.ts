import { type QueryExecutorProvider, sql } from "kysely";
import { type MigrationSteps, statements } from "../db/migrations.ts";

/**
 * `due_at` is by the injected clock, and before all time for a job that is due at once. While a worker (`holder`) has claimed the job, it
 * changes whenever that worker renews its lease; see `listHeldJobs`. `key` prevents a second job for as long as the row exists.
 * `last_error` never contains a secret.
 */
export const jobMigrations: MigrationSteps = {
  "0002-jobs": statements(
    `CREATE TABLE jobs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      key text,
      payload jsonb NOT NULL,
      state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'dead')),
      attempts integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL,
      holder text,
      last_error text,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      UNIQUE (name, key)
    )`,
    `CREATE INDEX jobs_due ON jobs (due_at) WHERE state = 'waiting'`,
    `CREATE INDEX jobs_ended ON jobs (ended_at) WHERE state <> 'waiting'`,
  ),
  "0006-jobs-held": statements(`CREATE INDEX jobs_held ON jobs (id) WHERE state = 'waiting' AND holder IS NOT NULL`),
  // Set for a dead job that the operator wants nothing of any more. Its row still says that it was given up.
  "0084-operators": statements(
    `ALTER TABLE jobs ADD COLUMN discarded_at timestamptz`,
    `CREATE INDEX jobs_dead ON jobs (name) WHERE state = 'dead'`,
  ),
};

type Db = QueryExecutorProvider;

export interface NewJob {
  name: string;
  key: string | null;
  payload: unknown;
  /** Undefined for at once. */
  dueAt: Date | undefined;
  now: Date;
}

/** Returns false when a job with this name and key exists. */
export async function addJob(db: Db, { name, key, payload, dueAt, now }: NewJob): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO jobs (name, key, payload, due_at, created_at)
    VALUES (${name}, ${key}, ${JSON.stringify(payload)}, coalesce(${dueAt ?? null}::timestamptz, '-infinity'), ${now})
    ON CONFLICT (name, key) DO NOTHING RETURNING id`.execute(db);
  return rows.length > 0;
}

/**
 * One attempt at a job: its holder and the number of the attempt. Updates require both to match, so a worker whose lease has passed to
 * another can no longer write.
 */
export interface Claim {
  id: number;
  name: string;
  payload: unknown;
  attempts: number;
  holder: string;
}

export interface ClaimOptions {
  holder: string;
  names: string[];
  /** Jobs that this worker runs, or will retry later, whatever their row says. */
  except: number[];
  /** Retries that are due, whatever their row says. */
  retries: number[];
  /** Leases whose worker is lost. */
  lapsed: string[];
  limit: number;
  now: Date;
  /** Marks the lease. */
  leaseEnd: Date;
}

/** Names one lease of one job: another as soon as it is renewed. */
const lease = sql`concat_ws(' ', id, attempts, due_at)`;

/** The leases of all jobs that are claimed. One that stays the same for long is of a lost worker. */
export async function listHeldJobs(db: Db): Promise<string[]> {
  const { rows } = await sql<{ lease: string }>`
    SELECT ${lease} AS lease FROM jobs WHERE state = 'waiting' AND holder IS NOT NULL`.execute(db);
  return rows.map((row) => row.lease);
}

/** Claims the jobs that are due, the longest overdue first. No two workers get the same job. */
export async function claimJobs(db: Db, options: ClaimOptions): Promise<Claim[]> {
  const { holder, names, except, retries, lapsed, limit, now, leaseEnd } = options;
  const { rows } = await sql<Claim>`
    WITH due AS MATERIALIZED (
      SELECT id FROM jobs
      WHERE state = 'waiting' AND name = ANY (${names}) AND id <> ALL (${except}::bigint[])
        AND (holder IS NULL AND (due_at <= ${now} OR id = ANY (${retries}::bigint[])) OR ${lease} = ANY (${lapsed}))
      ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE jobs SET holder = ${holder}, attempts = attempts + 1, due_at = ${leaseEnd}
    FROM due WHERE jobs.id = due.id
    RETURNING jobs.id, name, payload, attempts, holder`.execute(db);
  return rows;
}

/**
 * Extends the leases of these jobs; returns the ids of those that the holder still holds. A job that it no longer runs, because its
 * result could not be recorded, is not among them: its lease has to lapse.
 */
export async function renewJobs(db: Db, holder: string, ids: number[], leaseEnd: Date): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    UPDATE jobs SET due_at = ${leaseEnd}
    WHERE id = ANY (${ids}::bigint[]) AND holder = ${holder} AND state = 'waiting' RETURNING id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const isOwn = ({ id, holder, attempts }: Claim) =>
  sql`id = ${id} AND holder = ${holder} AND attempts = ${attempts} AND state = 'waiting'`;

/** Ends the job: done, or with an error dead, for an operator to look at. */
export async function endJob(db: Db, claim: Claim, { at, error }: { at: Date; error?: string }): Promise<void> {
  await sql`
    UPDATE jobs SET holder = NULL, ended_at = ${at}, state = ${error === undefined ? "done" : "dead"},
      last_error = coalesce(${error ?? null}, last_error)
    WHERE ${isOwn(claim)}`.execute(db);
}

/** Schedules another attempt after a failure. */
export async function delayJob(db: Db, claim: Claim, { dueAt, error }: { dueAt: Date; error: string }): Promise<void> {
  await sql`UPDATE jobs SET holder = NULL, due_at = ${dueAt}, last_error = ${error} WHERE ${isOwn(claim)}`.execute(db);
}

/** Releases the job for another worker; the attempt, which was interrupted, does not count. */
export async function releaseJob(db: Db, claim: Claim): Promise<void> {
  await sql`UPDATE jobs SET holder = NULL, due_at = '-infinity', attempts = attempts - 1
    WHERE ${isOwn(claim)}`.execute(db);
}

/** Ends all jobs of a name that have not run; returns how many. */
export async function cancelJobs(db: Db, name: string, { at, error }: { at: Date; error: string }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE jobs SET holder = NULL, ended_at = ${at}, discarded_at = ${at}, state = 'dead', last_error = ${error}
    WHERE name = ${name} AND state = 'waiting'`.execute(db);
  return Number(numAffectedRows);
}

/** The keys, of these, whose job of a name was given up. */
export async function deadJobs(db: Db, name: string, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM jobs WHERE name = ${name} AND key = ANY(${keys}::text[]) AND state = 'dead'`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/** Deletes jobs that ended before a time. Their keys can then be used again. */
export async function deleteEndedJobs(db: Db, state: "done" | "dead", before: Date): Promise<void> {
  await sql`DELETE FROM jobs WHERE state = ${state} AND ended_at < ${before}`.execute(db);
}
