import { type QueryExecutorProvider, sql } from "kysely";
import { type MigrationSteps, statements } from "../db/migrations.ts";

/**
 * `due_at` is by the injected clock; while a worker (`holder`) has the job, it is when that worker is given up for lost. `key` makes
 * a job be enqueued once for as long as its row is kept. `last_error` never holds a secret.
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
};

type Db = QueryExecutorProvider;

export interface NewJob {
  name: string;
  key: string | null;
  payload: unknown;
  dueAt: Date;
  now: Date;
}

/** False when one of this name and key is there. */
export async function addJob(db: Db, { name, key, payload, dueAt, now }: NewJob): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO jobs (name, key, payload, due_at, created_at)
    VALUES (${name}, ${key}, ${JSON.stringify(payload)}, ${dueAt}, ${now})
    ON CONFLICT (name, key) DO NOTHING RETURNING id`.execute(db);
  return rows.length > 0;
}

/** A try at a job: who has it, and which try it is. A worker that was given up for lost cannot write with it any more. */
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
  /** Jobs this worker is still at, though others might think it lost. */
  except: number[];
  limit: number;
  now: Date;
  leaseEnd: Date;
}

/** Takes the jobs that are due, the longest due first. Two workers never get the same. */
export async function claimJobs(db: Db, options: ClaimOptions): Promise<Claim[]> {
  const { holder, names, except, limit, now, leaseEnd } = options;
  const { rows } = await sql<Claim>`
    WITH due AS MATERIALIZED (
      SELECT id FROM jobs
      WHERE state = 'waiting' AND due_at <= ${now} AND name = ANY (${names}) AND id <> ALL (${except}::bigint[])
      ORDER BY due_at, id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    UPDATE jobs SET holder = ${holder}, attempts = attempts + 1, due_at = ${leaseEnd}
    FROM due WHERE jobs.id = due.id
    RETURNING jobs.id, name, payload, attempts, holder`.execute(db);
  return rows;
}

/** Says that the holder is at work still; gives the jobs that are its own. */
export async function renewJobs(db: Db, holder: string, leaseEnd: Date): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    UPDATE jobs SET due_at = ${leaseEnd} WHERE holder = ${holder} AND state = 'waiting' RETURNING id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const isOwn = ({ id, holder, attempts }: Claim) =>
  sql`id = ${id} AND holder = ${holder} AND attempts = ${attempts} AND state = 'waiting'`;

/** The job is over; with an error it is dead, for whoever operates the service to look at. */
export async function endJob(db: Db, claim: Claim, { at, error }: { at: Date; error?: string }): Promise<void> {
  await sql`
    UPDATE jobs SET holder = NULL, ended_at = ${at}, state = ${error === undefined ? "done" : "dead"},
      last_error = coalesce(${error ?? null}, last_error)
    WHERE ${isOwn(claim)}`.execute(db);
}

/** The try failed; the job is due again later. */
export async function delayJob(db: Db, claim: Claim, { dueAt, error }: { dueAt: Date; error: string }): Promise<void> {
  await sql`UPDATE jobs SET holder = NULL, due_at = ${dueAt}, last_error = ${error} WHERE ${isOwn(claim)}`.execute(db);
}

/** The try was cut short by a stop and does not count. */
export async function giveBackJob(db: Db, claim: Claim, now: Date): Promise<void> {
  await sql`UPDATE jobs SET holder = NULL, due_at = ${now}, attempts = attempts - 1 WHERE ${isOwn(claim)}`.execute(db);
}

/** Forgets what ended before; whoever asks again with the key of such a job gets a new one. */
export async function forgetJobs(db: Db, state: "done" | "dead", before: Date): Promise<void> {
  await sql`DELETE FROM jobs WHERE state = ${state} AND ended_at < ${before}`.execute(db);
}
